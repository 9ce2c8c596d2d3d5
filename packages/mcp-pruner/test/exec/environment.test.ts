import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/e2e/verifies.ts';
import { inherited } from '../../src/exec/environment.ts';
import { runProcess } from '../../src/exec/process.ts';

const CANARY = 'canary-value';

/** Names that secrets have had somewhere, and names that load code into what is started. */
const SECRET_NAMES = `
  OPENAI_API_KEY ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN DEEPINFRA_API_KEY MY_API_KEY MYAPIKEY openai_api_key
  GEMINI_API_KEY MISTRAL_KEY COHERE_API_KEY GROQ_KEY HF_TOKEN REPLICATE_API_TOKEN PERPLEXITY_KEY XAI_KEY
  GITHUB_TOKEN GH_TOKEN GH_PAT GITHUB_PAT GITLAB_TOKEN GITLAB_PAT CI_JOB_TOKEN BITBUCKET_APP_PASSWORD
  NPM_TOKEN NODE_AUTH_TOKEN npm_config__auth npm_config_//registry/:_authToken YARN_NPM_AUTH_TOKEN PYPI_PW
  TWINE_PASSWORD CARGO_REGISTRY_TOKEN CARGO_REGISTRIES_MINE_TOKEN GEM_HOST_API_KEY NUGET_KEY
  AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_CONTAINER_AUTHORIZATION_TOKEN
  AZURE_CLIENT_SECRET AZURE_STORAGE_KEY AZURE_STORAGE_CONNECTION_STRING ARM_ACCESS_KEY
  GOOGLE_APPLICATION_CREDENTIALS GCP_SA_JSON CLOUDSDK_AUTH_ACCESS_TOKEN DIGITALOCEAN_ACCESS_TOKEN DO_PAT
  CLOUDFLARE_API_TOKEN CF_API_KEY HEROKU_API_KEY FLY_API_TOKEN VERCEL_TOKEN NETLIFY_AUTH_TOKEN RENDER_KEY
  DATABASE_URL PGPASSWORD PGPASSFILE MYSQL_PWD MYSQL_PASSWD REDIS_URL REDISCLI_AUTH MONGODB_URI DB_PASSWORD DB_PASS
  DB_PW SQLALCHEMY_DATABASE_URI JDBC_URL RABBITMQ_DEFAULT_PASS AMQP_URL ELASTIC_PASSWORD
  STRIPE_KEY STRIPE_SECRET STRIPE_WEBHOOK_SECRET TWILIO_AUTH SENDGRID_KEY MAILGUN_KEY SLACK_WEBHOOK SLACK_BOT_TOKEN
  DISCORD_TOKEN TELEGRAM_BOT_TOKEN SENTRY_DSN SENTRY_AUTH_TOKEN DD_API_KEY DATADOG_KEY NEW_RELIC_LICENSE_KEY
  JWT_SECRET SESSION_SECRET COOKIE_SECRET SECRET_KEY_BASE DJANGO_SECRET_KEY APP_KEY ENCRYPTION_KEY SIGNING_KEY
  DEPLOY_PRIVATE_KEY SSH_PRIVATE_KEY SSH_PASSPHRASE SSH_ASKPASS GPG_PASSPHRASE VAULT_TOKEN VAULT_ADDR_TOKEN
  KUBE_TOKEN DOCKER_PASSWORD DOCKER_AUTH_CONFIG SONAR_TOKEN SNYK_TOKEN CODECOV_TOKEN TF_VAR_password CLIENT_SECRET
  JEEVES_STORE PRUNER_URL JEEVES_PRUNER_URL MCP_PRUNER_TOKEN
`
  .trim()
  .split(/\s+/);

const LOADERS = `
  NODE_OPTIONS LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES BASH_ENV ENV PROMPT_COMMAND SHELLOPTS BASHOPTS
  PS4 IFS BASH_FUNC_ls%% RIPGREP_CONFIG_PATH GREP_OPTIONS GREP_COLORS GIT_SSH_COMMAND GIT_EXTERNAL_DIFF PERL5OPT
  PYTHONSTARTUP RUBYOPT JAVA_TOOL_OPTIONS
`
  .trim()
  .split(/\s+/);

const KEPT = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TERM', 'SSH_AUTH_SOCK', 'EDITOR', 'JAVA_HOME', 'http_proxy', 'PS1'];

function canaries(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, CANARY]));
}

describe('what a command inherits', () => {
  verifies('doors.environment', 'is none of a hundred names that secrets have', () => {
    expect(new Set(SECRET_NAMES).size).toBeGreaterThanOrEqual(105);
    expect(Object.keys(inherited(canaries([...SECRET_NAMES, ...LOADERS, ...KEPT])))).toEqual(KEPT);
  });

  verifies('doors.environment', 'holds no canary in a real shell', async () => {
    const env = inherited({ ...process.env, ...canaries([...SECRET_NAMES, ...LOADERS]), TZ: 'Etc/Harmless' });
    const { signal } = new AbortController();
    const limits = { mkfifo: null, timeoutMs: 5000, maxOutputBytes: 1 << 20, signal };
    const { stdout } = await runProcess({ command: 'bash', args: ['-c', 'env; set'], cwd: tmpdir(), env, ...limits });
    expect(stdout).toContain('TZ=Etc/Harmless');
    expect(stdout).not.toContain(CANARY);
  });

  verifies('doors.environment', 'is also what the user lets pass', () => {
    const env = { GH_TOKEN: 'a', AWS_PROFILE: 'b', AWS_REGION: 'c', AWSOME: 'd', UNSET: undefined };
    expect(inherited(env, ['GH_TOKEN', 'AWS_*', 'UNSET', '*'])).toEqual({
      GH_TOKEN: 'a',
      AWS_PROFILE: 'b',
      AWS_REGION: 'c',
    });
  });

  test.each([
    ['http://proxy.example:3128', true],
    ['http://joe:hunter22@proxy.example:3128', false],
    ['joe@example.org', true],
  ])('a proxy %j passes: %j', (value, passes) => {
    expect('HTTPS_PROXY' in inherited({ HTTPS_PROXY: value })).toBe(passes);
    expect(inherited({ HTTPS_PROXY: value }, ['HTTPS_PROXY'])).toEqual({ HTTPS_PROXY: value });
  });
});
