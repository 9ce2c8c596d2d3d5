import type { Backend } from '@jeeves/engine';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { createRanker, worthShowing } from '../../src/rank/ranker.ts';

interface BroughtTool {
  readonly server: string;
  readonly name: string;
  readonly definition: Readonly<Record<string, unknown>>;
}

function tool(server: string, name: string, description = '', properties: object = {}): BroughtTool {
  return { server, name, definition: { name, description, inputSchema: { type: 'object', properties } } };
}

const OFFICE = [
  tool('google-calendar', 'create_event', 'Create a new event in the calendar'),
  tool('google-calendar', 'delete_event', 'Delete an event from the calendar'),
  tool('google-calendar', 'list_events', 'List upcoming events'),
  tool('gmail', 'send_email', 'Send an email to recipients'),
  tool('gmail', 'search_emails', 'Search the mailbox'),
  tool('files', 'read_file', 'Read the contents of a file'),
  tool('files', 'list_directory', 'List what is in a directory'),
  tool('files', 'move_file', 'Move or rename a file'),
  tool('db', 'query', 'Run a read-only SQL query', { statement: { type: 'string', description: 'The SQL to run' } }),
  tool('maps', 'directions', 'Get directions between two places', { origin: {}, destination: {} }),
  tool('images', 'generate', 'Generate an image from a prompt'),
  tool('shop', 'create_refund', 'Refund a payment'),
];

const EVERYDAY = [
  tool('home', 'set_thermostat', 'Set the target temperature of a thermostat'),
  tool('stays', 'search_properties', 'Search accommodation for given dates'),
  tool('stays', 'cancel_reservation', 'Cancel an existing reservation'),
  tool('staff', 'request_leave', 'Submit a leave request'),
  tool('fleet', 'locate_vehicle', 'Last known GPS position of a vehicle'),
  tool('claims', 'get_claim_status', 'Status and history of a claim'),
  tool('legal', 'search_case_law', 'Full-text search over court opinions'),
  tool('cluster', 'scale', 'Set the number of replicas of a service'),
  tool('cluster', 'rollback', 'Return to an earlier release'),
  tool('pdf', 'merge', 'Combine several documents into one'),
  tool('calc', 'evaluate', 'Evaluate a mathematical expression'),
  tool('calc', 'solve_equation', 'Solve an equation for a variable'),
  tool('units', 'convert_units', 'Convert a value between units of measure'),
];

async function first(goal: string, tools: readonly BroughtTool[] = OFFICE): Promise<string> {
  const [best] = await createRanker().rank(tools, goal);
  return `${best?.tool.server} ${best?.tool.name}`;
}

function backend(judge: Backend['judge']): Backend {
  return { name: 'test', judge };
}

function scored(...scores: readonly number[]): { score: number }[] {
  return scores.map((score) => ({ score }));
}

describe('ranking', () => {
  const goals: readonly [string, string][] = [
    ['book a meeting with Bob tomorrow', 'google-calendar create_event'],
    ['cancel my appointment', 'google-calendar delete_event'],
    ['which meetings do I have this week', 'google-calendar list_events'],
    ['write to anna@example.com', 'gmail send_email'],
    ['what is inside the downloads folder', 'files list_directory'],
    ['what does notes.txt say', 'files read_file'],
    ['how many rows are in the users table', 'db query'],
    ['how do I get from Berlin to Munich', 'maps directions'],
    ['draw a cat', 'images generate'],
    ['give the customer their money back', 'shop create_refund'],
    ['create_refund', 'shop create_refund'],
  ];
  const spoken: readonly [string, string][] = [
    ['make it warmer in here', 'home set_thermostat'],
    ['I need a place to stay in Lisbon', 'stays search_properties'],
    ['call off my hotel booking', 'stays cancel_reservation'],
    ['I want to take two weeks off in July', 'staff request_leave'],
    ['where is truck 12 right now', 'fleet locate_vehicle'],
    ['how far along is my insurance case', 'claims get_claim_status'],
    ['find judgments about negligence', 'legal search_case_law'],
    ['go back to the previous version', 'cluster rollback'],
    ['put these three files together', 'pdf merge'],
    ['what is 17 times 23', 'calc evaluate'],
    ['find x in 3x + 5 = 20', 'calc solve_equation'],
    ['how many feet are 10 metres', 'units convert_units'],
  ];
  for (const [goal, wanted] of spoken) {
    verifies('gateway.rank.words', `finds ${wanted} for “${goal}”`, async () => {
      expect(await first(goal, EVERYDAY)).toBe(wanted);
    });
  }
  for (const [goal, wanted] of goals) {
    verifies('gateway.rank.words', `finds ${wanted} for “${goal}”`, async () => {
      expect(await first(goal)).toBe(wanted);
    });
  }

  verifies('gateway.rank.words', 'looks at parameters and at the server where nothing else tells', async () => {
    const tools = [
      tool('a', 'one', 'Does it'),
      tool('b', 'two', 'Does it', { latitude: {} }),
      tool('jira', 'three', 'Does it'),
    ];
    expect(await first('with this latitude', tools)).toBe('b two');
    expect(await first('do it in Jira', tools)).toBe('jira three');
  });

  test('returns every tool once, those that have nothing to do with the goal last and in their order', async () => {
    const ranked = await createRanker().rank(OFFICE, 'send an email');
    expect(new Set(ranked.map(({ tool: { name } }) => name)).size).toBe(OFFICE.length);
    const others = ranked.filter(({ score }) => score === 0).map(({ tool: one }) => one);
    expect(others).toEqual(OFFICE.filter((one) => others.includes(one)));
    expect(ranked.map(({ score }) => score)).toEqual(ranked.map(({ score }) => score).sort((a, b) => b - a));
  });

  test('gives a goal without words no opinion', async () => {
    for (const goal of ['', '???', 'the of and', '12 34']) {
      expect((await createRanker().rank(OFFICE, goal)).every(({ score }) => score === 0)).toBe(true);
    }
  });

  test('asks the backend about the best, and goes on without it when it fails', async () => {
    const asked: string[][] = [];
    const liking = backend(async ({ texts, source, goal }) => {
      asked.push([source, goal, ...Array.from({ length: texts.length }, (_, at) => texts.at(at).split('\n')[1] ?? '')]);
      const scores = Float64Array.from({ length: texts.length }, (_, at) => (texts.at(at).includes('search') ? 90 : 0));
      return await Promise.resolve({ scores });
    });
    const [best] = await createRanker(liking).rank(OFFICE, 'an email');
    expect(best?.tool.name).toBe('search_emails');
    expect(asked[0]?.slice(0, 3)).toEqual(['items', 'an email', expect.stringContaining('email')]);
    const failing = backend(async () => await Promise.reject(new Error('down')));
    expect((await createRanker(failing).rank(OFFICE, 'send an email'))[0]?.tool.name).toBe('send_email');
  });

  test('bears definitions of any shape', async () => {
    const odd = [
      { server: '', name: '', definition: {} },
      { server: 's', name: 'n', definition: { description: 7, title: [], inputSchema: 'x', annotations: null } },
      {
        server: 's',
        name: 'constructor',
        definition: { inputSchema: { properties: { toString: null, __proto__: 3 } } },
      },
    ];
    expect(await createRanker().rank(odd, 'constructor toString __proto__')).toHaveLength(3);
  });

  verifies('gateway.rank.speed', 'ranks 500 tools in no more than 5 ms once they are prepared', async () => {
    const tools = Array.from({ length: 500 }, (_, at) => {
      const { server, name, definition } = OFFICE[at % OFFICE.length] as BroughtTool;
      const description = `${String(definition['description'])}. ${'It returns what it found, page by page. '.repeat(8)}`;
      return tool(`${server}${at}`, `${name}_${at}`, description, { path: { description: 'Where to look' } });
    });
    const ranker = createRanker();
    const times: number[] = [];
    for (let round = 0; round < 60; round += 1) {
      const started = performance.now();
      await ranker.rank(tools, OFFICE[round % 6]?.name ?? '');
      times.push(performance.now() - started);
    }
    // The fastest of many: what else the machine does must not count.
    expect(Math.min(...times.slice(10))).toBeLessThan(5);
  });
});

describe('the cut', () => {
  test.each([
    ['nothing where nothing fits', scored(0, 0), 10, 0],
    ['the best alone where the rest is far off', scored(1, 0.1, 0.1, 0), 10, 1],
    ['the first three where they have something to do with it', scored(1, 0.5, 0.5, 0.5, 0.5), 10, 3],
    ['more where they are nearly as good', scored(1, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9), 10, 7],
    ['never more than the cap', scored(1, 1, 1, 1), 2, 2],
  ])('keeps %s', (_, ranked, cap, kept) => {
    expect(worthShowing(ranked, cap)).toEqual(ranked.slice(0, kept));
  });
});
