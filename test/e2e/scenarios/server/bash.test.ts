import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { temporaryDirectory } from '../../../../packages/mcp-pruner/test/harness.ts';
import { verifies } from '../../verifies.ts';
import {
  bashOf,
  corpus,
  eventsOf,
  failedBashOf,
  numberedLines,
  programs,
  pruningOf,
  sharedSite,
  site,
  textOf,
} from './site.ts';

const server = sharedSite({ files: { 'dir/inner.txt': 'inner\n' } });

describe('a command', () => {
  verifies(
    ['files.bash.result', 'output.text-block'],
    'returns its streams and all that describes the run',
    async () => {
      const result = await server().call('bash', { command: 'echo out; echo err >&2', cwd: 'dir' });
      expect(textOf(result)).toBe('out\n[stderr]\nerr\n');
      expect(result.isError).toBeUndefined();
      expect(bashOf(result)).toEqual({
        tool: 'bash',
        command: 'echo out; echo err >&2',
        cwd: join(server().root, 'dir'),
        stdout: 'out\n',
        stderr: 'err\n',
        exit_code: 0,
        timed_out: false,
        truncated: false,
        duration_ms: expect.any(Number),
        pruning: { attempted: false, applied: false, fallback: false, reason: 'no_focus_question', raw_bytes: 4 },
      });
    },
  );

  verifies('files.bash.stdin', 'reads an empty standard input, never the protocol', async () => {
    const result = bashOf(await server().call('bash', { command: 'cat; echo read' }));
    expect(result.stdout).toBe('read\n');
  });

  verifies(
    'files.bash.env',
    'gets what a shell needs and what the user lets pass, then what the call sets',
    async () => {
      const secrets = { MY_API_KEY: 'canary', GH_TOKEN: 'canary', OTHER: 'canary' };
      const { call } = await site({
        env: { COLOUR: 'red', TASTE: 'sweet', MCP_PRUNER_ENV_PASS: 'COLOUR, TAS*', ...secrets },
      });
      const env = { TASTE: 'sour', EMPTY: '' };
      const { stdout } = bashOf(await call('bash', { command: 'env', env }));
      const lines = stdout.split('\n');
      expect(lines).toEqual(expect.arrayContaining(['COLOUR=red', 'TASTE=sour', 'EMPTY=']));
      expect(stdout).not.toContain('canary');
    },
  );

  verifies(
    'security.t9.environment',
    'never sees a secret or a loader variable, and can set none of the latter',
    async () => {
      const hidden =
        'OPENAI_API_KEY ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN DEEPINFRA_API_KEY DEEPINFRA_ENDPOINT_URL OPENAI_ORG GH_TOKEN ' +
        'GITHUB_TOKEN NPM_TOKEN MCP_PRUNER_TOKEN AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID AWS_SESSION_TOKEN DB_PASSWORD ' +
        'PGPASSWORD MYSQL_PASSWD SSH_PASSPHRASE CLIENT_SECRET SECRET_KEY_BASE STRIPE_APIKEY my_api_key LD_LIBRARY_PATH ' +
        'DYLD_LIBRARY_PATH BASH_ENV ENV PROMPT_COMMAND PS4 IFS RIPGREP_CONFIG_PATH GREP_OPTIONS GREP_COLORS';
      const env = Object.fromEntries(hidden.split(' ').map((name) => [name, `canary-${name}`]));
      const { ask, call } = await site({ env });
      const { stdout, stderr } = bashOf(await call('bash', { command: 'env; cat /proc/$$/environ' }));
      expect(stdout + stderr).not.toContain('canary');
      for (const name of ['LD_PRELOAD', 'LD_AUDIT', 'DYLD_INSERT_LIBRARIES', 'BASH_ENV', 'NODE_OPTIONS']) {
        const refused = await ask('tools/call', { name: 'bash', arguments: { command: 'env', env: { [name]: 'x' } } });
        expect(refused.error).toMatchObject({ code: -32602, data: { issues: [{ path: `arguments.env.${name}` }] } });
      }
    },
  );

  verifies('files.bash.env', 'chooses no shell by the path that it sets', async () => {
    const planted = programs({ bash: 'echo planted' });
    const { stdout } = bashOf(await server().call('bash', { command: 'echo "$PATH"', env: { PATH: planted } }));
    expect(stdout).toBe(`${planted}\n`);
  });

  verifies('files.bash.timeout', 'that finds no free shell in time is a `timeout`, and never runs', async () => {
    const { call, root, until } = await site({});
    const busy = Array.from({ length: 8 }, (_, shell) => call('bash', { command: `touch busy-${shell}; sleep 2` }));
    // Calls race for a shell, whichever came first: only once all eight run is none left.
    await until(() => readdirSync(root).filter((name) => name.startsWith('busy-')).length === 8);
    const result = await call('bash', { command: 'touch ran', timeout_ms: 500 });
    expect(failedBashOf(result).error).toEqual({
      code: 'timeout',
      message: 'waited 500 ms for a free shell: too many commands run at once',
    });
    await Promise.all(busy);
    expect(existsSync(join(root, 'ran'))).toBe(false);
  });

  verifies('files.bash.shell', 'runs in a login shell, which reads the profile', async () => {
    const { call } = await site({
      files: { '.bash_profile': 'export FROM=profile\n' },
      env: { MCP_PRUNER_SHELL_LOGIN: undefined },
    });
    const { stdout } = bashOf(await call('bash', { command: 'shopt -q login_shell && echo "login $FROM"' }));
    expect(stdout).toBe('login profile\n');
  });

  verifies('files.bash.login-off', 'runs in a plain shell when that is set', async () => {
    const { call } = await site({
      files: { '.bash_profile': 'export FROM=profile\n' },
      env: { MCP_PRUNER_SHELL_LOGIN: '0' },
    });
    const { stdout } = bashOf(await call('bash', { command: 'shopt -q login_shell || echo "plain $FROM"' }));
    expect(stdout).toBe('plain \n');
  });
});

describe('a command that fails', () => {
  verifies(
    ['files.bash.nonzero-exit', 'request.events.failed', 'output.text-block'],
    'is `nonzero_exit` with its exit code and both streams',
    async () => {
      const seen = server().events.length;
      const result = await server().call('bash', { command: 'echo out; echo err >&2; exit 3' });
      expect(result.isError).toBe(true);
      expect(failedBashOf(result)).toEqual({
        tool: 'bash',
        error: { code: 'nonzero_exit', message: 'the command ended with exit code 3', exit_code: 3 },
        stdout: 'out\n',
        stderr: 'err\n',
        truncated: false,
        pruning: { attempted: false, applied: false, fallback: false, reason: 'no_focus_question', raw_bytes: 4 },
      });
      expect(textOf(result)).toBe(
        'nonzero_exit: the command ended with exit code 3\nout\n[stderr]\nerr\n[exit code 3]',
      );
      await server().until(() => eventsOf(server(), seen).includes('tool.respond_ok'));
      expect(
        server()
          .events.slice(seen)
          .find(({ event }) => event === 'tool.exec_failed')?.data,
      ).toMatchObject({
        tool: 'bash',
        code: 'nonzero_exit',
        exit_code: 3,
      });
    },
  );

  verifies('files.bash.nonzero-exit', 'by a signal has the exit code that a shell gives it', async () => {
    const { error } = failedBashOf(await server().call('bash', { command: 'kill -SEGV $$' }));
    expect(error).toEqual({ code: 'nonzero_exit', message: 'the command was ended by SIGSEGV', exit_code: 139 });
  });

  verifies(
    ['files.bash.timeout', 'request.events.failed'],
    'to end in time is killed and is `timeout`, with what it wrote until then',
    async () => {
      const seen = server().events.length;
      const started = performance.now();
      const result = await server().call('bash', { command: 'echo early; sleep 60; echo late', timeout_ms: 400 });
      expect(performance.now() - started).toBeLessThan(10_000);
      const { error, stdout, stderr } = failedBashOf(result);
      expect({ error, stdout, stderr }).toEqual({
        error: { code: 'timeout', message: 'the command was stopped after 400 ms' },
        stdout: 'early\n',
        stderr: '',
      });
      expect(textOf(result)).toBe('timeout: the command was stopped after 400 ms\nearly\n');
      await server().until(() => eventsOf(server(), seen).includes('tool.respond_ok'));
      const ended = server()
        .events.slice(seen)
        .filter(({ event }) => event.startsWith('tool.exec_'));
      expect(ended.map(({ event }) => event)).toEqual(['tool.exec_start', 'tool.exec_timeout', 'tool.exec_failed']);
      expect(ended[1]?.data).toEqual({ tool: 'bash', timeout_ms: 400 });
    },
  );

  verifies('files.bash.spawn-error', 'to start at all is `spawn_error`', async () => {
    const { call } = await site({ env: { PATH: programs({}) } });
    const result = await call('bash', { command: 'true' });
    expect(result.isError).toBe(true);
    expect(failedBashOf(result).error.code).toBe('spawn_error');
    expect(pruningOf(result)).toMatchObject({ attempted: false, raw_bytes: 0 });
  });

  verifies(
    'files.bash.invalid-cwd',
    'for want of a directory inside the root is `invalid_cwd`, and runs nothing',
    async () => {
      const { root, call } = server();
      symlinkSync(temporaryDirectory(), join(root, 'way-out'));
      mkdirSync(join(root, 'place'), { recursive: true });
      writeFileSync(join(root, 'file.txt'), '');
      for (const cwd of ['..', '/', 'way-out', 'nowhere', 'file.txt']) {
        const result = await call('bash', { command: `touch ${join(root, 'ran')}`, cwd });
        expect([cwd, failedBashOf(result).error.code]).toEqual([cwd, 'invalid_cwd']);
        expect(result.isError).toBe(true);
      }
      expect(bashOf(await call('bash', { command: 'ls' })).stdout).not.toContain('ran');
      expect(bashOf(await call('bash', { command: 'pwd', cwd: 'place' })).stdout).toBe(`${root}/place\n`);
    },
  );

  verifies(
    ['files.errors.carry-pruning', 'pruning.error-metadata'],
    'before it ran carries metadata without an attempt',
    async () => {
      const result = await server().call('bash', { command: 'ls', cwd: '..', context_focus_question: 'What is here?' });
      expect(pruningOf(result)).toEqual({
        attempted: false,
        applied: false,
        fallback: false,
        reason: 'output_empty',
        raw_bytes: 0,
      });
    },
  );
});

describe('a command that is too long for the system', () => {
  verifies('files.bash.spawn-error', 'says so', async () => {
    const { error } = failedBashOf(await server().call('bash', { command: '€'.repeat(49_000) }));
    expect(error).toEqual({ code: 'spawn_error', message: 'the command is too long for the operating system' });
  });
});

describe('much output', () => {
  verifies('files.max-output-bytes', 'is cut at the limit, and the text says what to do', async () => {
    const result = await server().call('bash', { command: 'seq 1 2000', max_output_bytes: 1025 });
    const { stdout, truncated, pruning } = bashOf(result);
    expect({ size: Buffer.byteLength(stdout), truncated, raw: pruning.raw_bytes }).toEqual({
      size: 1025,
      truncated: true,
      raw: 1025,
    });
    expect(textOf(result)).toBe(
      `${stdout}\n[output cut at 1025 bytes; send it to a file and read that with start_line, or narrow the command]`,
    );
  });

  verifies('files.bash.cap-shared', 'of both streams shares one limit, a third of it for stdout', async () => {
    const command = 'for i in $(seq 900); do echo "oooooooo"; echo "eeeeeeee" >&2; done';
    const { stdout, stderr, truncated } = bashOf(await server().call('bash', { command, max_output_bytes: 3000 }));
    expect({ out: stdout.length, err: stderr.length, truncated }).toEqual({ out: 1000, err: 2000, truncated: true });
  });

  verifies('files.bash.cap-shared', 'of one stream may use what the other leaves', async () => {
    const command = 'seq 1 2000; echo short >&2';
    const { stdout, stderr } = bashOf(await server().call('bash', { command, max_output_bytes: 3000 }));
    expect({ out: stdout.length, stderr }).toEqual({ out: 2994, stderr: 'short\n' });
  });

  verifies(
    'files.bash.drains',
    'beyond the limit is read to its end, so that the exit code is the command’s own',
    async () => {
      const { error } = failedBashOf(
        await server().call('bash', { command: 'head -c 20000000 /dev/zero; exit 7', max_output_bytes: 1024 }),
      );
      expect(error.exit_code).toBe(7);
    },
  );

  verifies(
    'files.implicit-cap',
    'is cut in the middle at 40,000 bytes for an agent that would cut it worse',
    async () => {
      const { call } = await site({ client: 'claude-code' });
      const result = await call('bash', { command: 'seq 1 20000' });
      const { stdout, truncated, pruning } = bashOf(result);
      expect(stdout).toMatch(/^1\n2\n[^]*\n⟦pruned \d+-\d+ \(\d+ lines\)⟧\n[^]*\n20000\n$/);
      expect(truncated).toBe(true);
      expect(Buffer.byteLength(textOf(result))).toBeLessThanOrEqual(40_000);
      const ranges = [{ start_line: 10_000, end_line: 10_001 }];
      expect(textOf(await call('recover_text', { prune_id: pruning.prune_id, ranges }))).toBe('10000\n10001\n');
    },
  );
});

describe('a failing command with a question', () => {
  const LOG = `${numberedLines(300, (n) => `ok ${n} - case number ${n} of the suite passes`)}not ok 301 - totals add up\n  expected 42 but received 41\n`;

  verifies(
    ['pruning.failing-command', 'files.bash.nonzero-exit'],
    'is pruned like any other, and keeps the failure',
    async () => {
      const { call } = await site({ files: { 'test.log': LOG } });
      const question = { context_focus_question: 'Which test fails and why?' };
      const result = await call('bash', { command: 'cat test.log; exit 1', ...question });
      const { error, stdout, pruning } = failedBashOf(result);
      expect(error.code).toBe('nonzero_exit');
      expect(pruning).toMatchObject({ attempted: true, applied: true, raw_bytes: Buffer.byteLength(LOG) });
      expect(stdout).toContain('not ok 301 - totals add up\n  expected 42 but received 41\n');
      expect(stdout?.length).toBeLessThan(LOG.length / 2);
      const late = await call('bash', { command: 'cat test.log; sleep 60', timeout_ms: 500, ...question });
      expect(failedBashOf(late)).toMatchObject({ error: { code: 'timeout' }, pruning: { applied: true } });
    },
  );

  const REAL: readonly [log: string, failure: readonly string[]][] = [
    ['vitest-run.log', ['AssertionError: expected [ {', 'tests/cart.test.ts > snapshots > does not change when']],
    ['python-unittest.log', ["AssertionError: Decimal('0.10') != Decimal('0.11')", "KeyError: 'platinum'"]],
    ['cargo-test.log', ['test iso::tests::week_of_2025_12_31 ... FAILED', 'panicked at src/iso.rs:19:5']],
    ['node-test.tap', ['not ok 11 - lives as long after a touch as after a set']],
  ];
  for (const [log, failure] of REAL) {
    verifies('pruning.failing-command', `loses most of ${log}, and nothing of its failure`, async () => {
      const text = corpus(`logs/${log}`);
      const { call } = await site({ files: { 'test.log': text } });
      const question = { context_focus_question: 'Which tests fail, and with which messages?' };
      const { stdout = '' } = failedBashOf(await call('bash', { command: 'cat test.log; exit 1', ...question }));
      for (const line of failure) expect(stdout).toContain(line);
      expect(stdout.length).toBeLessThan(text.length * 0.6);
    });
  }
});
