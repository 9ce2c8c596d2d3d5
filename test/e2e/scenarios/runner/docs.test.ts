import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENV_VARIABLES, READ } from '@jeeves/protocol';
import { describe, expect } from 'vitest';
import { parseTask } from '../../../../packages/runner/src/compare/task.ts';
import { parseScript } from '../../../../packages/runner/src/providers/fake/script.ts';
import { parseWorkflow } from '../../../../packages/runner/src/workflow/workflow.ts';
import { logWithError } from '../../../../packages/runner/test/world.ts';
import { verifies } from '../../verifies.ts';
import { desk, PROGRAM } from '../cli/program.ts';

const GUIDE = readFileSync(new URL('../../../../docs/guide/runner.md', import.meta.url), 'utf8');
const { path, file, run } = desk();

function blocks(language: string): readonly string[] {
  return [...GUIDE.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text]) => text ?? '');
}

describe('the guide', () => {
  verifies('runner.docs', 'names every variable of the runner, and those of the server that matter to a run', () => {
    const ofRunner = Object.entries(ENV_VARIABLES).filter(([, { readBy }]) => readBy.includes('runner'));
    const names = ofRunner.map(([name]) => name);
    expect(names.length).toBeGreaterThanOrEqual(5);
    for (const name of [...names, 'PRUNER_URL', 'PRUNER_TIMEOUT_MS', 'MCP_PRUNER_CWD', 'JEEVES_EVENT_FILE']) {
      expect(GUIDE).toContain(`\`${name}\``);
    }
  });

  verifies('runner.docs', 'has examples that can be used as they stand', () => {
    const [task = '', workflow = '', script = ''] = blocks('yaml');
    expect(parseTask(task, 'task.yaml')).toMatchObject({ check: 'npm test', maxTurns: 30, timeoutMs: 600_000 });
    expect([...parseWorkflow(workflow).phases.keys()]).toEqual(['write', 'test', 'judge', 'done']);
    expect(parseScript(script).steps).toHaveLength(7);
    const call = JSON.parse(blocks('json')[0] ?? '') as { name: string; arguments: unknown };
    expect(call.name).toBe('read');
    expect(READ.input.safeParse(call.arguments).success).toBe(true);
  });

  verifies('runner.docs', 'shows commands that do what it says', async () => {
    const [, verify = ''] = blocks('sh');
    const directory = join(path, 'first-run');
    const [first = '', ...rest] = verify.replaceAll('/tmp/first-run', directory).trim().split('\n');
    expect(rest).toHaveLength(1);
    const { code } = await run(first.split(' ').slice(1));
    expect(code).toBe(0);
    const events = readFileSync(join(directory, 'events.jsonl'), 'utf8').split('\n');
    const said = events.filter((line) => line.includes('mcp_pruner'));
    expect(said.filter((line) => line.includes('"mcp_pruner.ready"'))).toHaveLength(2);
    expect(said.at(-1)).toContain('"mcp_pruner.stopped"');
  });

  verifies(['runner.docs', 'runner.ledger'], 'shows a ledger as the command prints it, gross and net', async () => {
    file('app.log', logWithError());
    const read = '{ call: read, with: { file_path: app.log }, goal: why is the connection refused }';
    file('steps.yaml', `steps: [${read}, { recover: first }]\n`);
    const { err } = await run(['run', '--provider', 'fake', '--prompt', 'go', '--script', 'steps.yaml']);
    expect(rowsOf(err)).toEqual([
      'gross removed measured',
      'recovered measured',
      'markers measured',
      'tool definitions estimated',
      'questions measured',
      'extra requests estimated',
      'net estimated',
    ]);
    expect(rowsOf(blocks('text')[0] ?? '')).toEqual(rowsOf(err));
  });
});

/** Each row of a ledger as its label and what its figures rest on. */
function rowsOf(text: string): readonly string[] {
  const rows = text.matchAll(/^([a-z ]+?) +-?[\d,]+ +-?[\d,]+ +-?[\d.]+ {2}(measured|estimated)$/gm);
  return [...rows].map(([, label, basis]) => `${label} ${basis}`);
}

describe('a copy of the program without agent clients', () => {
  verifies('runner.sdk-missing', 'names the client that is missing and how to install it', async () => {
    const root = join(path, 'installed');
    const source = fileURLToPath(new URL('.', `file://${PROGRAM}`));
    cpSync(source, join(root, 'dist'), { recursive: true, filter: (name) => !name.includes('types') });
    writeFileSync(join(root, 'package.json'), '{"name":"copy","version":"0.0.0","type":"module"}');
    const CLIENTS = { claude: '@anthropic-ai/claude-agent-sdk', codex: '@openai/codex-sdk' };
    for (const [provider, name] of Object.entries(CLIENTS)) {
      const command = [join(root, 'dist/cli.js'), 'run', '--provider', provider, '--prompt', 'go'];
      const child = spawn(process.execPath, command, { cwd: path, env: { PATH: process.env['PATH'], HOME: path } });
      let err = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        err += text;
      });
      const [code] = (await once(child, 'close')) as [number | null];
      expect(code).toBe(2);
      expect(err).toContain(`npm install ${name}`);
    }
  });
});
