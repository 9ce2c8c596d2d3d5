import { startFakeAnthropic } from './model/fake-anthropic.ts';
import { startFakeOpenAi } from './model/fake-openai.ts';
import type { ScriptedModel, ScriptedStep, Step } from './model/script.ts';

/** A real client: how to run it, and what is peculiar to it. */
export interface Client {
  readonly provider: 'claude' | 'codex';
  readonly model: string;
  readonly startModel: (steps: readonly ScriptedStep[]) => Promise<ScriptedModel>;
  /** How it finds the model, and a home of its own. */
  readonly environment: (url: string, home: string) => Readonly<Record<string, string>>;
  /** Tells its own processes by their commands. */
  readonly program: RegExp;
  /** A call of its own shell, as its model would write it. */
  readonly shell: (command: string) => Step;
  /** A status that the client takes for final. */
  readonly fatalStatus: number;
}

export const CLAUDE: Client = {
  provider: 'claude',
  model: 'claude-sonnet-4-5',
  startModel: startFakeAnthropic,
  environment: (url, home) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'sk-ant-scripted',
    CLAUDE_CONFIG_DIR: `${home}/claude`,
    CLAUDE_CODE_MAX_RETRIES: '1',
  }),
  program: /claude-agent-sdk-[^ ]*\/claude /,
  shell: (command) => ({ call: 'Bash', input: { command } }),
  fatalStatus: 500,
};

export const CODEX: Client = {
  provider: 'codex',
  // An unknown name gets the plain tool interface; the known ones write programs instead.
  model: 'scripted-model',
  startModel: startFakeOpenAi,
  environment: (url, home) => ({ OPENAI_BASE_URL: url, OPENAI_API_KEY: 'sk-scripted', CODEX_HOME: `${home}/codex` }),
  program: /\/bin\/codex(\.js)? exec /,
  shell: (cmd) => ({ call: 'exec_command', input: { cmd } }),
  fatalStatus: 400,
};
