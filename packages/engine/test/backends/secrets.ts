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
    ['a Bedrock key', join('AB', 'SK', word(60))],
    ['a Mailchimp key', join(hex(32), '-us', '12')],
    ['a Brevo key', join('xkey', 'sib-', hex(64), '-', word(16))],
    ['a RubyGems key', join('ruby', 'gems_', hex(48))],
    ['a NuGet key', join('oy', '2', word(43).toLowerCase())],
    ['a Docker token', join('dckr', '_pat_', word(27))],
    ['an Artifactory key', join('AK', 'C', word(70))],
    ['a Linear key', join('lin', '_api_', word(40))],
    ['a Grafana token', join('gl', 'c_', word(60))],
    ['a Sentry token', join('sntr', 'yu_', hex(64))],
    ['a Supabase key', join('sb_', 'secret_', word(30))],
    ['a PlanetScale password', join('pscale', '_pw_', word(40))],
    ['a Figma token', join('fig', 'd_', word(40))],
    ['a Neon key', join('na', 'pi_', word(40))],
    ['a Pinecone key', join('pc', 'sk_', word(50))],
    ['a LangSmith key', join('ls', 'v2_pt_', hex(32), '_', hex(10))],
    ['a Resend key', join('r', 'e_', word(8), '_', word(24))],
    ['a CircleCI token', join('CCI', 'PAT_', word(22), '_', hex(40))],
    ['a Buildkite token', join('bk', 'ua_', hex(40))],
    ['a Typeform token', join('tf', 'p_', word(44))],
    ['a Razorpay key', join('rzp', '_live_', word(14))],
    ['a SonarQube token', join('sq', 'u_', hex(40))],
    ['a New Relic key', join('NR', 'II-', word(32))],
    ['a Heroku key', join('HR', 'KU-', word(60))],
    ['a Contentful token', join('CF', 'PAT-', word(43))],
    ['a Pulumi token', join('pu', 'l-', hex(40))],
    ['a Tailscale key', join('ts', 'key-auth-', word(12), '-', word(32))],
    ['a Doppler token', join('d', 'p.pt.', word(43))],
    ['a Terraform token', join(word(14), '.atlas', 'v1.', word(67))],
    ['an Airtable token', join('pa', 't', word(14), '.', hex(64))],
    ['a Dropbox token', join('s', 'l.', word(130))],
    ['an Asana token', join('1', '/1234567890123456:', hex(32))],
    ['a Plaid token', join('access', '-sandbox-', hex(8), '-0123-4567-89ab-', hex(12))],
    ['a Facebook token', join('EA', 'A', word(100))],
    ['an Alibaba key', join('LT', 'AI', word(20))],
    ['a Discord token', join('M', word(23), '.', word(6), '.', word(38))],
    ['a random string without a name', word(40)],
  ]),
  { kind: 'a name and a value in JSON', secret: 'hunter22', line: '{"name": "DB_PASSWORD", "value": "hunter22"}' },
  { kind: 'a name and a value in YAML', secret: 'hunter23', line: '- name: DB_PASSWORD\n  value: hunter23' },
  { kind: 'a key and a value in XML', secret: 'hunter24', line: '<add key="ApiKey" value="hunter24" />' },
  { kind: 'a keyed element in XML', secret: 'hunter25', line: '<entry key="db.password">hunter25</entry>' },
  { kind: 'a password in SQL', secret: 'hunter26', line: "ALTER USER joe WITH PASSWORD 'hunter26';" },
  { kind: 'an identity in SQL', secret: 'hunter27', line: "CREATE USER joe IDENTIFIED BY 'hunter27';" },
  { kind: 'a row in SQL', secret: 'hunter28', line: "INSERT INTO settings VALUES ('api_key', 'hunter28');" },
  { kind: 'a constant in PHP', secret: 'hunter29', line: "define('DB_PASSWORD', 'hunter29');" },
  { kind: 'an array in PHP', secret: 'hunter30', line: "'password' => 'hunter30'," },
  { kind: 'an index in PHP', secret: 'hunter31', line: "$config['db_password'] = 'hunter31';" },
  { kind: 'a value on the next line in YAML', secret: 'hunter32', line: 'password:\n  hunter32' },
  { kind: 'a value on the next line in JSON', secret: 'hunter33', line: '"client_secret":\n    "hunter33",' },
  { kind: 'a folded value in YAML', secret: 'hunter34', line: 'api_key: >-\n  hunter34' },
  { kind: 'a variable that ends in _KEY', secret: 'hunter35', line: 'STRIPE_KEY=hunter35' },
  { kind: 'a variable that ends in _PAT', secret: 'hunter36', line: 'export GITHUB_PAT="hunter36"' },
  { kind: 'a variable that ends in _PW', secret: 'hunter', line: 'DB_PW=hunter' },
  { kind: 'a session of PHP', secret: word(26), line: `GET /admin PHPSESSID=${word(26)}` },
  { kind: 'a session of Express', secret: word(32), line: `connect.sid=s%3A${word(32)}; path=/` },
  { kind: 'an address with a slash in its password', secret: 'pa/ss', line: 'mysql://joe:pa/ss@db.example.org/app' },
  { kind: 'an address with a hash in its password', secret: 'p#ss', line: 'redis://joe:p#ss@cache.example.org:6379' },
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
