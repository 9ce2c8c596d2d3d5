import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { parseConfig } from '../../src/config/parse.ts';
import type { GatewayConfig } from '../../src/config/server.ts';

const HOME = { env: { TOKEN: 's3cret', EMPTY: '' }, directory: '/conf', cwd: '/work' };

const RULES = { permits: expect.any(Function), asks: expect.any(Function) };

function parse(mcpServers: unknown): GatewayConfig {
  return parseConfig(JSON.stringify({ mcpServers }), HOME);
}

function fingerprint(entry: object): string | undefined {
  return parse({ a: entry }).servers[0]?.fingerprint;
}

describe('a program', () => {
  test('is read with every default', () => {
    expect(parse({ git: { command: 'uvx', args: ['mcp-server-git'] } })).toEqual({
      catalogue: {},
      problems: [],
      unusable: [],
      servers: [
        {
          name: 'git',
          prefix: 'git',
          target: { kind: 'stdio', command: 'uvx', args: ['mcp-server-git'], env: {}, cwd: '/work' },
          tags: [],
          rules: RULES,
          strategy: 'stateless',
          mayHoldState: true,
          onChange: 'offer',
          timeoutMs: 55_000,
          startMs: 20_000,
          maxMessageBytes: 16_777_216,
          idleMs: 300_000,
          fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ],
    });
  });

  test('is read with everything that can be said of one', () => {
    const { servers, problems } = parse({
      db: {
        command: '${HOME_OF_DB:-/opt}/db',
        args: ['--token=${TOKEN}', '$TOKEN', '${not a name}', '${', '${EMPTY:-full}${EMPTY}'],
        env: { KEY: '${TOKEN}', PORT: 80, ON: true },
        cwd: 'sub',
        tags: ['data'],
        tools: ['query'],
        strategy: 'stateful',
        timeoutMs: 1000,
        maxMessageBytes: 4096,
        idleSeconds: 5,
        autoApprove: ['other clients write this'],
      },
    });
    expect(problems).toEqual([]);
    expect(servers[0]).toMatchObject({
      target: {
        command: '/opt/db',
        args: ['--token=s3cret', '$TOKEN', '${not a name}', '${', 'full'],
        env: { KEY: 's3cret', PORT: '80', ON: 'true' },
        cwd: '/conf/sub',
      },
      tags: ['data'],
      rules: RULES,
      strategy: 'stateful',
      timeoutMs: 1000,
      maxMessageBytes: 4096,
      idleMs: 5000,
    });
  });

  test.each([
    ['stateless', 300_000],
    ['stateful', 1_800_000],
    ['singleton', undefined],
  ])('that is %s rests %s ms before it is stopped', (strategy, idleMs) => {
    expect(parse({ a: { command: 'a', strategy } }).servers[0]?.idleMs).toBe(idleMs);
  });

  test('is another one as soon as its entry is written differently', () => {
    expect(fingerprint({ command: 'a' })).toBe(fingerprint({ command: 'a' }));
    expect(fingerprint({ command: 'a' })).not.toBe(fingerprint({ command: 'a', args: ['x'] }));
  });
});

describe('an address', () => {
  test('is read with its headers', () => {
    const { servers } = parse({
      web: { type: 'http', url: 'https://mcp.example/x', headers: { Authorization: 'Bearer ${TOKEN}' } },
    });
    expect(servers[0]?.target).toEqual({
      kind: 'http',
      url: 'https://mcp.example/x',
      headers: { Authorization: 'Bearer s3cret' },
    });
  });

  test.each([
    ['not a url', 'is not a URL'],
    ['file:///etc/passwd', 'must be an http or https URL'],
    ['https://me:pw@mcp.example', 'must not hold a user name or password; use headers'],
    ['http://169.254.169.254/latest', 'must not be a link-local address'],
    ['http://[::ffff:169.254.169.254]/', 'must not be a link-local address'],
    ['http://[fe80::1]/', 'must not be a link-local address'],
  ])('%s is refused', (url, message) => {
    const { servers, problems } = parse({ web: { url } });
    expect(servers).toEqual([]);
    expect(problems).toEqual([{ field: 'mcpServers.web.url', message }]);
  });

  test.each([
    ['Host', 'x', 'is set by the protocol'],
    ['Mcp-Session-Id', 'x', 'is set by the protocol'],
    ['a b', 'x', 'is not the name of a header'],
    ['X-A', 'x\r\nY: z', 'must not hold a line break'],
  ])('with the header %s is refused', (name, value, message) => {
    const { problems } = parse({ web: { url: 'https://mcp.example', headers: { [name]: value } } });
    expect(problems).toEqual([{ field: `mcpServers.web.headers.${name}`, message }]);
  });
});

describe('a problem', () => {
  test.each([
    [{ command: 1 }, 'a.command', 'must be a string'],
    [{}, 'a.url', 'needs a command to start or a url to connect to'],
    [{ command: ' ' }, 'a.command', 'must not be empty'],
    [{ command: 'x', args: 'y' }, 'a.args', 'must be a list of strings'],
    [{ command: 'x', args: ['ok', '${NOPE}'] }, 'a.args.1', 'the environment variable NOPE is not set'],
    [{ command: 'x', env: { K: '${NOPE}' } }, 'a.env.K', 'the environment variable NOPE is not set'],
    [{ command: 'x', env: { K: ['y'] } }, 'a.env.K', 'must be a string'],
    [{ command: 'x', strategy: 'random' }, 'a.strategy', 'must be one of stateless, stateful, singleton'],
    [{ command: 'x', timeoutMs: 1.5 }, 'a.timeoutMs', 'must be a whole number from 100 to 3600000'],
    [{ command: 'x', idleSeconds: 0 }, 'a.idleSeconds', 'must be a whole number from 1 to 604800'],
    [{ command: 'x', disabled: 'yes' }, 'a.disabled', 'must be true or false'],
    [{ command: 'x', tags: 'y' }, 'a.tags', 'must be a list of strings'],
    [
      { type: 'sse', url: 'https://x' },
      'a.type',
      'sse is not spoken here; use the Streamable HTTP address of the server',
    ],
    ['text', 'a', 'must be an object'],
  ])('of %j names its field', (entry, field, message) => {
    const { servers, problems } = parse({ a: entry, good: { command: 'good' } });
    expect(problems).toContainEqual({ field: `mcpServers.${field}`, message });
    expect(servers.map(({ name }) => name)).toEqual(['good']);
  });

  test.each([
    [{ filter: 5 }, 'gateway.filter', 'must be an object'],
    [{ filter: { baseURL: 'https://x/v1' } }, 'gateway.filter.model', 'must name a model'],
    [{ maxTools: 0 }, 'gateway.maxTools', 'must be a whole number from 1 to 500'],
    [7, 'gateway', 'must be an object'],
  ])('of the section gateway %j names its field', (gateway, field, message) => {
    const { problems, catalogue } = parseConfig(JSON.stringify({ mcpServers: {}, gateway }), HOME);
    expect(problems).toEqual([{ field, message }]);
    expect(catalogue).toEqual({});
  });

  test('of the whole file is thrown, and names what is missing', () => {
    expect(() => parseConfig('{"mcpServers": [', HOME)).toThrow(/^the file: is not JSON/);
    expect(() => parseConfig('{"server": {}}', HOME)).toThrow('mcpServers: must be an object that names the servers');
    expect(parseConfig('\uFEFF{"mcpServers": {}}', HOME)).toEqual({
      servers: [],
      problems: [],
      unusable: [],
      catalogue: {},
    });
  });
});

test('servers that are switched off are not even looked at', () => {
  expect(parse({ a: { disabled: true, command: '${NOPE}' }, b: { enabled: false } })).toEqual({
    servers: [],
    problems: [],
    unusable: [],
    catalogue: {},
  });
});

test('names become prefixes, each one once', () => {
  const { servers, problems } = parse({ '@org/a b': { command: 'x' }, '@org/a_b': { command: 'y' } });
  expect(servers.map(({ prefix }) => prefix)).toEqual(['_org_a_b']);
  expect(problems).toEqual([
    { field: 'mcpServers.@org/a_b', message: 'its tools would be named like those of @org/a b' },
  ]);
});

test('a list of everything is no list', () => {
  expect(parse({ a: { command: 'x', tools: ['*'] } }).servers[0]?.rules.permits('any', undefined)).toBe(true);
});

test.each(['tools', 'exposeTools', 'includeTools', 'allowedTools'])('%s lists what is on offer', (name) => {
  const rules = parse({ a: { command: 'x', [name]: ['y'] } }).servers[0]?.rules;
  expect([rules?.permits('y', undefined), rules?.permits('z', undefined)]).toEqual([true, false]);
});

test.each(['${TOKEN}', '${env:TOKEN}', '${NOPE:-s3cret}', '${env:NOPE:-s3cret}'])('%s is a variable', (written) => {
  expect(parse({ a: { command: 'x', args: [written] } }).servers[0]?.target).toMatchObject({ args: ['s3cret'] });
});

verifies('gateway.names.unambiguous', 'names that could belong to two servers are refused', () => {
  const entry = { command: 'x' };
  const { servers, problems } = parse({ a__b: entry, a_: entry, 'a_ b': entry, a_b: entry, 'A (b)': entry });
  expect(servers.map(({ prefix }) => prefix)).toEqual(['a_b', 'A_b']);
  const message = 'its name must not hold two underscores in a row, or end with one';
  expect(problems).toEqual(['a__b', 'a_', 'a_ b'].map((name) => ({ field: `mcpServers.${name}`, message })));
});

verifies('gateway.safety.link-local', 'no spelling of a link-local address is taken', () => {
  for (const host of [
    '169.254.169.254',
    '[fe80::1]',
    '[::ffff:169.254.169.254]',
    '[::169.254.169.254]',
    '[64:ff9b::a9fe:a9fe]',
    '0xa9fea9fe',
  ]) {
    const { problems } = parse({ a: { url: `http://${host}/mcp` } });
    expect(problems).toEqual([{ field: 'mcpServers.a.url', message: 'must not be a link-local address' }]);
  }
});

describe('a server that is known to hold state', () => {
  const kept: [string, object][] = [
    ['web', { command: 'npx', args: ['-y', '@playwright/mcp@latest'] }],
    ['browser', { command: 'node', args: ['/opt/x.js'] }],
    ['x', { command: '/usr/local/bin/tmux-mcp' }],
    ['x', { command: 'npx', args: ['chrome-devtools-mcp@1.11.0'] }],
  ];
  for (const [name, entry] of kept) {
    verifies('gateway.state.kept', `keeps running: ${name} ${JSON.stringify(entry)}`, () => {
      expect(parse({ [name]: entry }).servers[0]?.idleMs).toBeUndefined();
      expect(parse({ [name]: { ...entry, idleSeconds: 60 } }).servers[0]?.idleMs).toBe(60_000);
    });
  }

  test('is not taken for one because of a path among its arguments', () => {
    const entry = { command: 'npx', args: ['-y', 'server-filesystem', '/home/me/shell/scripts'] };
    expect(parse({ files: entry }).servers[0]?.idleMs).toBe(300_000);
  });
});

describe('the dialects of other clients', () => {
  const lists: [object, string[]][] = [
    [{}, ['read', 'write', 'append']],
    [{ includeTools: ['read', 'write'] }, ['read', 'write']],
    [{ includeTools: ['read', 'write'], tools: ['write', 'append'] }, ['write']],
    [{ excludeTools: ['write'] }, ['read', 'append']],
    [{ disabledTools: ['write'], deny: ['app*'] }, ['read']],
    [{ allow: ['*'], deny: ['@destructive'] }, ['read', 'append']],
    [{ allow: ['@readOnly'] }, ['read']],
  ];
  for (const [entry, names] of lists) {
    verifies('gateway.rules.lists', `are obeyed: ${JSON.stringify(entry)}`, () => {
      expect(offered(entry)).toEqual(names);
    });
  }

  verifies('gateway.rules.ask', 'say which tools need consent, and which never do', () => {
    expect(asks({}, 'write')).toBe(false);
    expect(asks({ ask: ['@destructive'] }, 'write')).toBe(true);
    expect(asks({ ask: ['*'], alwaysAllow: ['write'] }, 'write')).toBe(false);
    expect(asks({ ask: ['*'], trust: true }, 'write')).toBe(false);
  });

  verifies('gateway.rules.dialects', 'are understood in all their names', () => {
    const text = JSON.stringify({ servers: { a: { type: 'http', url: 'https://x/mcp' } }, inputs: [] });
    expect(parseConfig(text, HOME).servers[0]?.target).toMatchObject({ kind: 'http', url: 'https://x/mcp' });
    for (const name of ['url', 'httpUrl', 'serverUrl']) {
      expect(parse({ a: { [name]: 'https://x/mcp' } }).servers[0]?.target).toMatchObject({ url: 'https://x/mcp' });
    }
    expect(parse({ a: { disabled: true, command: 'x' } }).servers).toEqual([]);
  });

  const refused: [object, string, RegExp][] = [
    [{ url: 'https://x', type: 'sse' }, 'mcpServers.a.type', /^sse is not spoken here/],
    [{ url: 'https://x', transport: 'sse' }, 'mcpServers.a.transport', /^sse is not spoken here/],
    [{ url: 'https://x', type: 'ws' }, 'mcpServers.a.type', /^must be stdio or http/],
    [{ command: 'x', envFile: '.env' }, 'mcpServers.a.envFile', /^is not understood here/],
    [{ command: 'x', env: { A: '${input:token}' } }, 'mcpServers.a.env.A', /nobody is asked here$/],
    [{ command: 'x', deny: ['@dangerous'] }, 'mcpServers.a.deny', /^@dangerous means nothing here/],
    [{ command: 'x', excludeTools: 'write' }, 'mcpServers.a.excludeTools', /^must be a list of strings/],
  ];
  for (const [entry, field, message] of refused) {
    verifies(
      'gateway.rules.dialects',
      `are refused by name where they cannot be obeyed: ${JSON.stringify(entry)}`,
      () => {
        const { servers, problems } = parse({ a: entry });
        expect(servers).toEqual([]);
        expect(problems).toEqual([{ field, message: expect.stringMatching(message) }]);
      },
    );
  }
});

const ANNOTATED: readonly [string, object][] = [
  ['read', { readOnlyHint: true }],
  ['write', {}],
  ['append', { destructiveHint: false }],
];

function offered(entry: object): string[] {
  const { permits } = parse({ a: { command: 'x', ...entry } }).servers[0]?.rules ?? {};
  return ANNOTATED.filter(([name, annotations]) => permits?.(name, annotations)).map(([name]) => name);
}

function asks(entry: object, name: string): boolean | undefined {
  return parse({ a: { command: 'x', ...entry } }).servers[0]?.rules.asks(name, {});
}
