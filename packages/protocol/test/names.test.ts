import { fromWire, type OurWords, type ReadArgs, toWire } from '@jeeves/protocol';
import { describe, expect, expectTypeOf, it } from 'vitest';

describe('the door between our words and the wire', () => {
  it('renames fields at every depth, in lists too', () => {
    const wire = { prune_id: 'x', ranges: [{ start_line: 1, end_line: 2 }], pruning: { raw_bytes: 3 } };
    const ours = { pruneId: 'x', ranges: [{ startLine: 1, endLine: 2 }], pruning: { rawBytes: 3 } };
    expect(fromWire(wire)).toEqual(ours);
    expect(toWire(ours)).toEqual(wire);
  });

  it('leaves data with keys of its own alone', () => {
    const env = { MY_VAR: '1', lower_case: '2' };
    expect(fromWire({ command: 'x', env })).toEqual({ command: 'x', env });
    const tokensByTask: Record<string, number> = { task_one: 5, taskTwo: 6 };
    expect(toWire({ usageMetrics: { tokensByTask } })).toEqual({ usage_metrics: { tokens_by_task: tokensByTask } });
  });

  it('leaves values, nulls and absent fields as they are', () => {
    expect(fromWire({ column_no: null, text: 'snake_case stays', on: false })).toEqual({
      columnNo: null,
      text: 'snake_case stays',
      on: false,
    });
  });

  it('is known to the compiler', () => {
    expectTypeOf<OurWords<ReadArgs>['filePath']>().toEqualTypeOf<string>();
    expectTypeOf<OurWords<ReadArgs>['startLine']>().toEqualTypeOf<number | undefined>();
  });
});
