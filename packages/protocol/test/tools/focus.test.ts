import { hasFocus, takeFocus, withFocus } from '@jeeves/protocol';
import { describe, expect, it } from 'vitest';

const FOCUS = {
  type: 'string',
  description: 'One question: only what serves it comes back, recover_text restores the rest',
};

describe('the focus question in somebody else’s tool', () => {
  it('is one more optional argument', () => {
    const schema = {
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
      additionalProperties: false,
    };
    expect(withFocus(schema)).toEqual({
      ...schema,
      properties: { path: { type: 'string' }, context_focus_question: FOCUS },
    });
    expect(schema.properties).toEqual({ path: { type: 'string' } });
  });

  it.each([{ type: 'object' }, { type: 'object', properties: null }])('is the only argument of %j', (schema) => {
    expect(withFocus(schema)).toEqual({ ...schema, properties: { context_focus_question: FOCUS } });
  });

  it('leaves an argument of that name alone', () => {
    const schema = { type: 'object', properties: { context_focus_question: { type: 'number' } } };
    expect(hasFocus(schema)).toBe(true);
    expect(withFocus(schema)).toBe(schema);
  });

  it.each([
    [
      { a: 1, context_focus_question: ' why? ' },
      { goal: 'why?', args: { a: 1 } },
    ],
    [{ a: 1 }, { goal: undefined, args: { a: 1 } }],
    [{ context_focus_question: '  ' }, { goal: undefined, args: {} }],
    [{ context_focus_question: 7 }, { goal: undefined, args: {} }],
  ])('is taken out of %j', (args, taken) => {
    expect(takeFocus(args)).toEqual(taken);
  });
});
