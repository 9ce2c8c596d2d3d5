// Every secret is made up and put together at run time, so that no scanner takes this file for a leak.
const WORD = 'Zq7Wx2Ke9Rt4Yu1Io8Pa3Sd6Fg5Hj0LkZxCvBnM';
const HEX = '0123456789abcdef';

function word(length: number): string {
  return WORD.repeat(Math.ceil(length / WORD.length)).slice(0, length);
}

function hex(length: number): string {
  return HEX.repeat(Math.ceil(length / HEX.length)).slice(0, length);
}

function join(...parts: string[]): string {
  return parts.join('');
}

const JWT = [join('ey', 'J', word(20)), join('ey', 'J', word(40)), word(43)].join('.');

/** A secret, and the line it stands in. */
export const SECRETS: readonly { readonly kind: string; readonly secret: string; readonly line: string }[] = [
  ...tokens([
    ['an OpenAI key', join('s', 'k-', 'proj-', word(48))],
    ['an Anthropic key', join('s', 'k-', 'ant-api03-', word(80))],
    ['a DeepInfra key', join('s', 'k_', 'deepinfra_', word(32))],
    ['a Stripe key', join('s', 'k_', 'live_', word(24))],
    ['an AWS key id', join('AK', 'IA', word(16).toUpperCase())],
    ['a GitHub token', join('gh', 'p_', word(36))],
    ['a fine-grained GitHub token', join('github', '_pat_', word(60))],
    ['a GitLab token', join('gl', 'pat-', word(20))],
    ['a Slack token', join('xo', 'xb-', hex(12), '-', word(24))],
    ['a Google key', join('AI', 'za', word(35))],
    ['a Google access token', join('ya', '29.', word(60))],
    ['a SendGrid key', join('S', 'G.', word(22), '.', word(43))],
    ['a Twilio key', join('S', 'K', hex(32))],
    ['a Mailgun key', join('key', '-', hex(32))],
    ['an npm token', join('np', 'm_', word(36))],
    ['a PyPI token', join('py', 'pi-', word(120))],
    ['a Hugging Face token', join('h', 'f_', word(34))],
    ['a Groq key', join('gs', 'k_', word(52))],
    ['a Databricks token', join('da', 'pi', hex(32))],
    ['a Shopify token', join('shp', 'at_', hex(32))],
    ['a Vault token', join('hv', 's.', word(90))],
    ['an age key', join('AGE-', 'SECRET-KEY-1', word(58).toUpperCase())],
    ['a Telegram token', join('123456789', ':', word(35))],
    ['a JWT', JWT],
  ]),
  { kind: 'a bearer token', secret: word(24), line: `curl -H "Authorization: Bearer ${word(24)}"` },
  { kind: 'a bare bearer token', secret: word(22), line: `send Bearer ${word(22)} upstream` },
  { kind: 'a basic header', secret: 'am9lOmh1bnRlcjIy', line: 'Authorization: Basic am9lOmh1bnRlcjIy' },
  { kind: 'a cookie', secret: word(30), line: `Cookie: theme=dark; session=${word(30)}` },
  { kind: 'a password in an environment', secret: 'hunter22&more', line: 'DB_PASSWORD=hunter22&more' },
  { kind: 'a password in YAML', secret: 'correcthorse', line: 'password: correcthorse' },
  { kind: 'a password in JSON', secret: 'battery staple', line: '{"password": "battery staple", "user": "joe"}' },
  { kind: 'a password in escaped JSON', secret: 'staplers!', line: String.raw`"{\"password\": \"staplers!\"}"` },
  { kind: 'a token in code', secret: 'local-dev-only', line: "const authToken = 'local-dev-only';" },
  { kind: 'a secret in TOML', secret: word(12), line: `client_secret = "${word(12)}"` },
  {
    kind: 'an AWS secret',
    secret: `${word(20)}/+${word(18)}`,
    line: `aws_secret_access_key = ${word(20)}/+${word(18)}`,
  },
  { kind: 'an Azure key', secret: `${word(40)}==`, line: `DefaultEndpointsProtocol=https;AccountKey=${word(40)}==` },
  { kind: 'a token in a query', secret: word(18), line: `GET /feed?access_token=${word(18)}&page=2` },
  { kind: 'a password flag', secret: 'swordfish', line: 'mysql --user root --password swordfish' },
  { kind: 'a curl user', secret: 'opensesame', line: 'curl -u joe:opensesame https://example.org' },
  { kind: 'an npm login', secret: 'dXNlcjpwYXNzd29yZA==', line: '//npm.example.org/:_auth=dXNlcjpwYXNzd29yZA==' },
  { kind: 'a Docker login', secret: 'dXNlcjpkb2NrZXI=', line: '"auth": "dXNlcjpkb2NrZXI="' },
  { kind: 'a netrc entry', secret: 'pssnetrc', line: 'machine example.org login joe password pssnetrc' },
  { kind: 'a password in XML', secret: 'xmlpw123', line: '<db:password>xmlpw123</db:password>' },
  { kind: 'a password for ssh', secret: 'hunter9999', line: 'sshpass -p hunter9999 ssh joe@example.org' },
  { kind: 'a password for MySQL', secret: 'MyS3cret', line: 'mysqldump -h db -u root -pMyS3cret app' },
  { kind: 'a key after its name', secret: hex(16), line: `apikey ${hex(16)}` },
  { kind: 'a short password', secret: 'x9!', line: 'password=x9!' },
  { kind: 'an address with a password', secret: 'p@ss:word', line: 'postgres://joe:p@ss:word@db.example.org/app' },
];

/** All those lines, between others. */
export const SECRET_TEXT: string = SECRETS.map(({ line }, index) => `line ${index}\n${line}\n`).join('');

function tokens(list: readonly (readonly [string, string])[]): { kind: string; secret: string; line: string }[] {
  return list.map(([kind, secret], index) => ({ kind, secret, line: `value${index} <- ${secret} ok` }));
}
