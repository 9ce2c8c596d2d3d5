import { describe, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { desk } from './program.ts';

const { run } = desk();

describe('jeeves demo', () => {
  verifies('cli.demo.shows', 'shows three texts before and after, and gives a gap of each back', async () => {
    const { code, out, err } = await run(['demo']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.match(/^goal /gm)).toHaveLength(3);
    expect(out.match(/tokens −\d+ %$/gm)).toHaveLength(3);
    expect(out.match(/recovered and compared: [\d,]+ bytes, identical$/gm)).toHaveLength(3);
    expect(out).toMatch(/┄┄ \d+ lines cut: \d+–\d+, off the goal/);
    expect(out).toContain('AssertionError: expected');
  });

  verifies('cli.demo.shows', 'fits 80 columns, uncoloured, when it is not on a terminal', async () => {
    const { out } = await run(['demo']);
    // oxlint-disable-next-line no-control-regex -- colours are control characters
    expect(out).not.toMatch(/\u001B/);
    expect(out.split('\n').filter((line) => Array.from(line).length > 80)).toEqual([]);
  });

  verifies(['cli.demo.shows', 'cli.recover.lines'], 'ends with a command that works as printed', async () => {
    const { out } = await run(['demo']);
    const [, id = '', lines = ''] = /jeeves recover (prn_\w+) --lines (\d+-\d+)/.exec(out) ?? [];
    const { code, out: recovered } = await run(['recover', id, '--lines', lines]);
    const [first = 0, last = 0] = lines.split('-').map(Number);
    expect(code).toBe(0);
    expect(recovered.split('\n').length - 1).toBe(last - first + 1);
  });

  verifies('cli.demo.shows', 'works where nothing can be stored', async () => {
    const { code, out } = await run(['demo'], {
      env: { JEEVES_STORE: 'sqlite:/dev/null/jeeves.db', FORCE_COLOR: '1' },
    });
    expect(code).toBe(0);
    expect(out).toContain('\u001B[32midentical');
    expect(out).not.toContain('jeeves recover');
  });
});

describe('help', () => {
  for (const args of [[], ['prune'], ['recover'], ['verify'], ['bench', 'score'], ['bench', 'prune'], ['demo']]) {
    verifies(
      'cli.prune.bad-input',
      `${['jeeves', ...args].join(' ')} --help shows an example and exits 0`,
      async () => {
        const { code, out, err } = await run([...args, '--help']);
        expect({ code, err }).toEqual({ code: 0, err: '' });
        expect(out).toMatch(/Examples?:\n {2}\S/);
        expect(out.split('\n').filter((line) => line.length > 120)).toEqual([]);
      },
    );
  }
});
