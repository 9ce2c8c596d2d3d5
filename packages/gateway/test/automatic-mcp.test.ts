import type { Tool } from '@jeeves/mcp-pruner/host';
import { createMemoryStores, DEFAULT_SESSION_LIMITS, type SessionStore } from '@jeeves/store';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/e2e/verifies.ts';
import { type AutomaticMcpOptions, createAutomaticMcp } from '../src/automatic-mcp.ts';
import { createRanker } from '../src/rank/ranker.ts';
import { createCatalogueSessions } from '../src/sessions/sessions.ts';
import type { Upstreams, UpstreamTool } from '../src/upstream/upstream.ts';
import { answerOf, callTool, countingCounters, definitionsOf, textOf, upstreamTool } from './catalogue/catalogue.ts';

const READ = upstreamTool('files', 'read_file', { description: 'Read the contents of a file' });
const MAIL = upstreamTool('mail', 'send_email', { description: 'Send an email', outputSchema: { type: 'object' } });
const RAIN = upstreamTool('weather', 'get_forecast', { description: 'Weather forecast for a city' });

const TROUBLED: ReturnType<Upstreams['status']> = [
  {
    server: 'slow',
    state: 'starting',
    tools: 0,
    problem: 'is still starting',
    fix: 'Ask again in a few seconds.',
  },
  { server: 'mail', state: 'failed', tools: 1, problem: 'answered 401', fix: 'Log in.' },
  { server: 'weather', state: 'failed', tools: 1, problem: 'ended', fix: 'Repair it.' },
  { server: 'files', state: 'listed', tools: 1 },
];

interface Desk extends Partial<AutomaticMcpOptions> {
  readonly store?: SessionStore;
  readonly tools?: () => readonly UpstreamTool[];
}

function desk({ store = createMemoryStores().sessions, tools = () => [READ, MAIL, RAIN], ...more }: Desk = {}) {
  const problems: string[] = [];
  const counters = countingCounters();
  const sessions = createCatalogueSessions({ store, onProblem: (message) => problems.push(message) });
  const options = { upstreams: definitionsOf(tools), sessions, counters, connection: 'here', ranker: createRanker() };
  const tool = createAutomaticMcp({ cap: 10, ...options, ...more }) as Tool;
  const ask = async (args: object = {}, arrives = true) => {
    const outcome = await callTool(tool, args);
    if (arrives) outcome.written?.();
    return { ...answerOf(outcome), outcome };
  };
  return { ask, counters, problems };
}

function broken(): Promise<never> {
  return Promise.reject(new Error('the disk is full'));
}

describe('automatic_mcp', () => {
  verifies(
    ['gateway.raw-definitions', 'gateway.result-fields'],
    'answers one text block of JSON that holds the definitions as they are',
    async () => {
      const { outcome, ...answer } = await desk().ask();
      expect(Object.keys(outcome.result ?? {})).toEqual(['content']);
      expect(answer).toEqual({
        etag: expect.stringMatching(/^[0-9a-f]{64}$/),
        tools: [READ.definition, { ...MAIL.definition, outputSchema: undefined }, RAIN.definition].map(plain),
        totalAvailable: 3,
        filtered: 3,
        alreadySent: [],
      });
      expect(outcome.isError).toBe(false);
    },
  );

  verifies('gateway.query-filters', 'answers a goal with the few tools that serve it, best first', async () => {
    const { tools, filtered, totalAvailable } = await desk().ask({ query: 'send a mail to my boss' });
    expect([tools[0]?.['name'], filtered, totalAvailable]).toEqual(['mail__send_email', 1, 3]);
  });

  test('answers a goal that no tool serves with none', async () => {
    expect(await desk().ask({ query: 'xyzzy' })).toMatchObject({ tools: [], filtered: 0, alreadySent: [] });
    // An empty one is none: then everything matches.
    const all = await desk().ask({ query: '' });
    expect(all.filtered).toBe(all.totalAvailable);
  });

  test('never returns more for a goal than the cap', async () => {
    const tools = Array.from({ length: 30 }, (_, at) =>
      upstreamTool('s', `read_file_${at}`, { description: 'Read a file' }),
    );
    expect((await desk({ tools: () => tools, cap: 4 }).ask({ query: 'read a file' })).filtered).toBe(4);
  });

  verifies(
    ['gateway.dedup', 'gateway.already-sent'],
    'sends a definition once to a session, and names what it sent before',
    async () => {
      const { ask } = desk();
      const first = await ask({ sessionId: 'one' });
      const second = await ask({ sessionId: 'one' });
      expect(second).toMatchObject({ tools: [], filtered: 0, totalAvailable: 3, etag: first.etag });
      expect(second.alreadySent).toEqual(['files__read_file', 'mail__send_email', 'weather__get_forecast']);
      expect((await ask({ sessionId: 'one', query: 'send an email' })).alreadySent).toEqual(['mail__send_email']);
      expect((await ask({ sessionId: 'two' })).filtered).toBe(3);
    },
  );

  verifies('gateway.changed-resent', 'sends a definition again once it changed, with another etag', async () => {
    const later = upstreamTool('mail', 'send_email', { description: 'Send an email with attachments' });
    let tools = [READ, MAIL];
    const { ask } = desk({ tools: () => tools });
    const before = await ask({ sessionId: 'one' });
    tools = [READ, later];
    const after = await ask({ sessionId: 'one' });
    expect(after.tools).toEqual([later.definition]);
    expect(after.etag).not.toBe(before.etag);
  });

  verifies('gateway.change.marked', 'marks what changed, and only names what is withheld', async () => {
    const tools = [
      { ...READ, changed: true, changes: ['description'] },
      { ...MAIL, changed: true, changes: [], withheld: true },
    ];
    const { filtered, changed } = await desk({ tools: () => tools }).ask();
    expect(filtered).toBe(1);
    expect(changed).toEqual([
      { name: 'files__read_file', changed: true, what: 'description' },
      { name: 'mail__send_email', changed: true, what: 'its definition', withheld: true },
    ]);
    expect((await desk({ tools: () => tools }).ask({ names: ['mail__send_email'] })).filtered).toBe(0);
  });

  verifies(
    'gateway.safety.size-cap',
    'sends what was cut for its length whole when it is asked for by name',
    async () => {
      const whole = { ...READ.definition, description: 'x'.repeat(9000) };
      const { ask } = desk({ tools: () => [{ ...READ, whole }] });
      expect((await ask()).note).toContain('"names" sends a definition uncut');
      expect((await ask({ names: ['files__read_file'] })).tools).toEqual([whole]);
    },
  );

  verifies('gateway.force-refresh', 'sends all matching tools again when it is told to', async () => {
    const { ask } = desk();
    await ask({ sessionId: 'one' });
    expect(await ask({ sessionId: 'one', forceRefresh: true })).toMatchObject({ filtered: 3, alreadySent: [] });
    expect(await ask({ sessionId: 'one' })).toMatchObject({ filtered: 0 });
  });

  verifies('gateway.session-fallback', 'takes the connection for a session that has no id', async () => {
    const store = createMemoryStores().sessions;
    const here = desk({ store });
    await here.ask();
    expect((await here.ask({ sessionId: '' })).filtered).toBe(0);
    expect((await desk({ store, connection: 'there' }).ask()).filtered).toBe(3);
    // An id that somebody chose is nobody's connection.
    expect((await here.ask({ sessionId: 'here' })).filtered).toBe(3);
  });

  verifies('gateway.session-fallback', 'remembers nothing of callers that cannot be told apart', async () => {
    const { ask } = desk({ connection: undefined });
    await ask();
    expect(await ask()).toMatchObject({ filtered: 3, alreadySent: [] });
  });

  verifies('gateway.sent-after-reply', 'sends what a lost reply held again', async () => {
    const { ask, counters } = desk();
    await ask({ sessionId: 'one' }, false);
    expect(counters.counted.definitionTokensSent).toBeUndefined();
    expect((await ask({ sessionId: 'one' })).filtered).toBe(3);
    expect((await ask({ sessionId: 'one' })).filtered).toBe(0);
    expect(counters.counted.catalogueCalls).toBe(3);
    expect(counters.counted.definitionTokensSent).toBeGreaterThan(30);
  });

  verifies('gateway.session.ttl', 'forgets a session half an hour after its last use, and all of it', async () => {
    let now = 0;
    const { sessions: store } = createMemoryStores({ now: () => now });
    const { ask } = desk({ store });
    await ask({ sessionId: 'one' });
    now += DEFAULT_SESSION_LIMITS.ttlMs - 1;
    expect((await ask({ sessionId: 'one', query: 'send an email' })).filtered).toBe(0);
    now += DEFAULT_SESSION_LIMITS.ttlMs - 1;
    expect((await ask({ sessionId: 'one', query: 'send an email' })).filtered).toBe(0);
    now += DEFAULT_SESSION_LIMITS.ttlMs;
    expect((await ask({ sessionId: 'one', query: 'send an email' })).filtered).toBe(1);
    expect((await ask({ sessionId: 'one' })).alreadySent).toEqual(['mail__send_email']);
    expect(DEFAULT_SESSION_LIMITS.ttlMs).toBe(30 * 60 * 1000);
  });

  verifies('gateway.session.limit', 'keeps ten thousand sessions, the least recently used goes first', async () => {
    const { ask } = desk({ tools: () => [READ] });
    await ask({ sessionId: 'first' });
    await ask({ sessionId: 'second' });
    for (let at = 0; at < 9998; at += 1) await ask({ sessionId: `s${at}` });
    expect((await ask({ sessionId: 'first' })).filtered).toBe(0);
    await ask({ sessionId: 'one too many' });
    expect((await ask({ sessionId: 'first' })).filtered).toBe(0);
    expect((await ask({ sessionId: 'second' })).filtered).toBe(1);
  });

  test('sends everything when the sessions cannot be read or written', async () => {
    const store: SessionStore = { ...createMemoryStores().sessions, read: broken, mark: broken };
    const { ask, problems } = desk({ store });
    expect((await ask({ sessionId: 'one' })).filtered).toBe(3);
    expect((await ask({ sessionId: 'one' })).filtered).toBe(3);
    expect(problems).toContain('the disk is full');
  });

  verifies('gateway.reply.budget', 'sends whole definitions while the budget lasts, then a line each', async () => {
    const tools = Array.from({ length: 30 }, (_, at) =>
      upstreamTool('s', `read_file_${at}`, { description: `Read a file. ${'More of it. '.repeat(120)}` }),
    );
    const { ask } = desk({ tools: () => tools, replyTokens: 1000 });
    const { filtered, others = [], note, outcome } = await ask({ query: 'read a file' });
    expect(filtered).toBe(2);
    expect(others).toHaveLength(18);
    expect(others[0]).toBe('s__read_file_2: Read a file');
    expect(note).toContain('"names" sends their definitions');
    expect(textOf(outcome).length).toBeLessThan(6000);
  });

  verifies(
    'gateway.reply.budget',
    'leaves out what only programs read, unless a tool is asked for by name',
    async () => {
      const full = upstreamTool('mail', 'send_email', {
        description: 'Send an email',
        outputSchema: { type: 'object' },
        annotations: { readOnlyHint: false },
      });
      const { ask } = desk({ tools: () => [full] });
      const [shown = {}] = (await ask({ query: 'send an email' })).tools;
      expect(Object.keys(shown).sort()).toEqual(['description', 'inputSchema', 'name']);
      expect((await ask({ names: ['mail__send_email'] })).tools).toEqual([full.definition]);
    },
  );

  verifies(
    'gateway.reply.by-name',
    'sends any definition again by its name, and says which names are wrong',
    async () => {
      const { ask } = desk();
      await ask();
      const again = await ask({ query: 'send an email' });
      expect(again).toMatchObject({ filtered: 0, alreadySent: ['mail__send_email'] });
      expect(again.note).toContain('"names" sends one again');
      const { tools, note } = await ask({ names: ['mail__send_email', 'mail__send_mail'] });
      expect(tools).toEqual([MAIL.definition]);
      expect(note).toBe('"mail__send_mail" is no tool; the closest are mail__send_email.');
    },
  );

  verifies(
    'gateway.reply.weak',
    'says so when nothing fits well, and offers nothing when nothing has a word in common',
    async () => {
      const { ask } = desk();
      expect(await ask({ query: 'send an email' })).not.toHaveProperty('weak');
      expect(await ask({ query: 'water the plants in the city park every morning' })).toHaveProperty('weak', true);
      const none = await ask({ query: 'xyzzy plugh' });
      expect([none.tools, none.others]).toEqual([[], undefined]);
    },
  );

  verifies('gateway.reply.session', 'never takes an id that agents chose for the same agent', async () => {
    const store = createMemoryStores().sessions;
    await desk({ store, connection: 'one' }).ask({ sessionId: 'conversation-1' });
    const other = desk({ store, connection: 'two' });
    expect((await other.ask({ sessionId: 'conversation-1' })).filtered).toBe(3);
    expect((await other.ask({ sessionId: 'conversation-1' })).filtered).toBe(0);
    // A conversation that was cleared gives another id.
    expect((await other.ask({ sessionId: 'conversation-2' })).filtered).toBe(3);
    const nobody = desk({ store, connection: undefined });
    await nobody.ask({ sessionId: 'conversation-1' });
    expect((await nobody.ask({ sessionId: 'conversation-1' })).filtered).toBe(3);
  });

  verifies(
    'gateway.start.honest',
    'names servers that are not in yet, and those that are down where one is offered',
    async () => {
      const { ask } = desk({ upstreams: { ...definitionsOf(() => [READ, MAIL, RAIN]), status: () => TROUBLED } });
      const { unavailable } = await ask({ query: 'send an email' });
      expect(unavailable).toEqual([
        { server: 'slow', problem: 'is still starting', fix: 'Ask again in a few seconds.' },
        { server: 'mail', problem: 'answered 401', fix: 'Log in.' },
      ]);
    },
  );
});

/** As it looks after a way over JSON. */
function plain(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}
