import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ENGLISH = `When a service starts to fail, the first question is rarely why. It is what changed, who noticed, and whether the
people on call can still see enough to decide. A good log answers the first of these without being asked. It names the
release that was rolled out, the setting that somebody touched, and the moment at which the error rate left its usual
range. Everything else can wait until the customers are served again. That is why we keep the noisy details apart from
the short list of facts that an operator needs during the night, and why every alert carries a link to a page that
explains, in plain words, what to check first. The page doesn't have to be long; it has to be true, and it has to be
found in less than a minute by someone who has just been woken up.`;

const FRENCH = `Lorsqu'un service commence à échouer, la première question n'est presque jamais « pourquoi ». On se demande d'abord
ce qui a changé, qui s'en est aperçu, et si les personnes d'astreinte voient encore assez clair pour décider. Un bon
journal répond à la première de ces questions sans qu'on la pose : il nomme la version déployée, le réglage modifié et
l'instant où le taux d'erreur a quitté son niveau habituel. Tout le reste peut attendre que les clients soient de nouveau
servis. C'est pour cela que nous séparons les détails bruyants de la courte liste des faits dont un opérateur a besoin
pendant la nuit, et que chaque alerte renvoie vers une page qui explique, avec des mots simples, ce qu'il faut vérifier
en premier. Cette page n'a pas besoin d'être longue ; elle doit être exacte, et l'on doit pouvoir la trouver en moins
d'une minute.`;

const JAPANESE = `サービスが失敗し始めたとき、最初に問うべきことは「なぜ」ではありません。何が変わったのか、誰が気付いたのか、
そして当番の担当者が判断できるだけの情報を見られるかどうかです。良いログは、聞かれる前に最初の問いに答えます。
公開されたバージョン、変更された設定、エラー率が通常の範囲を外れた時刻を示します。それ以外のことは、
利用者へのサービスが戻るまで待つことができます。`;

const CHINESE = `当一个服务开始出错时，第一个问题往往不是为什么，而是发生了什么变化、谁发现了它，以及值班人员能否看到足够的信息。
好的日志会提前回答第一个问题：它记录发布的版本、被修改的配置项，以及错误率离开正常范围的时刻。
例如，将 \`pool_size\` 从 20 调到 5 之后，网关在 30 秒内耗尽连接，返回 503；重试风暴又拖垮了下游的库存服务。
此时应先回滚配置，再逐层核对限流阈值、熔断开关与超时设置，最后补写复盘文档，注明触发条件、影响范围和修复步骤。
嘈杂的细节另行归档，仅在深入排查时检索；告警附带链接，指向一页简短、准确、易于查找的处置手册。`;

const KOREAN = `서비스가 실패하기 시작할 때 가장 먼저 물어야 할 것은 이유가 아니라 무엇이 바뀌었는지, 누가 알아차렸는지입니다.
좋은 로그는 묻기 전에 답합니다. 배포된 버전, 변경된 설정값, 오류율이 정상 범위를 벗어난 시각을 알려 줍니다.
예를 들어 \`pool_size\` 값을 20에서 5로 낮추면 게이트웨이가 30초 안에 연결을 소진하고 503을 반환하며, 재시도 폭주가 재고 서비스까지 무너뜨립니다.
우선 설정을 되돌리고, 임계치와 차단기, 제한 시간을 차례로 점검한 뒤 발생 조건과 영향 범위, 복구 절차를 문서로 남깁니다.`;

/** Texts of every sort that tools return, from this repository or made here. */
export const SAMPLES: Readonly<Record<string, string>> = {
  'the engine’s own code': sources('../src/').join('\n'),
  'a lockfile': readFileSync(new URL('../../../pnpm-lock.yaml', import.meta.url), 'utf8'),
  JSON: readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  'a log of requests': lines(80, requestLine),
  'a log in JSON with UUIDs': lines(80, jsonLine),
  'a coloured test report': lines(60, colouredLine),
  'hexadecimal hashes': lines(60, (index) => hex(index, 64)),
  'English prose': ENGLISH,
  'French prose': FRENCH,
  'Japanese prose': JAPANESE,
  'Chinese prose': CHINESE,
  'Korean prose': KOREAN,
};

function sources(folder: string): string[] {
  const directory = fileURLToPath(new URL(folder, import.meta.url));
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return files.sort().map((file) => readFileSync(`${directory}${file}`, 'utf8'));
}

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('\n');
}

function requestLine(index: number): string {
  const time = new Date(Date.UTC(2026, 2, 1) + index * 7919).toISOString();
  const request = `10.0.${index % 256}.7:${4000 + index} GET /api/v1/orders/${index * 37}`;
  const outcome = index % 5 === 0 ? 'connection refused, retrying in' : 'completed in';
  const level = ['INFO ', 'WARN ', 'ERROR'][index % 3];
  return `${time} ${level} [http.server] ${request} ${outcome} ${(index * 31) % 997} ms trace=${hex(index, 32)}`;
}

function jsonLine(index: number): string {
  const id = hex(index, 32);
  const uuid = [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-');
  const ts = 1_772_323_200 + index;
  return JSON.stringify({ ts, level: 'info', logger: 'worker', msg: 'job done', request_id: uuid });
}

function colouredLine(index: number): string {
  const [green, dim, plain] = ['\u001b[32m', '\u001b[2m', '\u001b[22m'];
  const tests = `${dim}(${plain}${index % 9} tests${dim})${plain}`;
  return ` ${green}✓\u001b[39m test/unit/case-${index}.test.ts ${tests} ${index * 3}ms`;
}

/** Digits that look random and are the same on every run. */
function hex(seed: number, length: number): string {
  let state = (seed + 1) * 2_654_435_761;
  let digits = '';
  while (digits.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    digits += (state >>> 16).toString(16).padStart(4, '0');
  }
  return digits.slice(0, length);
}
