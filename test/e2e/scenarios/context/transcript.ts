/**
 * Two hours of an agent at work on a shop, as its platform recorded them: it builds refunds, finds a webhook that
 * answers 401, switches to that, and comes back. Reads are repeated, builds and tests fail and are run again.
 */
export interface Event {
  /** Minutes since the beginning. */
  readonly minute: number;
  readonly id: string;
  readonly task: 'refunds' | 'webhook';
  readonly type: 'message' | 'code' | 'log' | 'note' | 'decision';
  readonly text: string;
  readonly role?: 'user' | 'assistant';
  readonly file?: string;
}

export function transcript(): readonly Event[] {
  const recorder = new Recorder();
  planRefunds(recorder);
  for (let round = 0; round < 10; round += 1) workOnRefunds(recorder, round);
  switchToWebhook(recorder);
  for (let round = 0; round < 4; round += 1) workOnWebhook(recorder, round);
  return recorder.events;
}

class Recorder {
  readonly events: Event[] = [];
  task: Event['task'] = 'refunds';
  #minute = 0;

  say(role: 'user' | 'assistant', text: string): void {
    this.#add({ type: 'message', role, text }, 0.5);
  }

  read(file: string, version: number): void {
    this.#add({ type: 'code', file, text: `File: ${file}\n${sourceOf(file, version)}` }, 0.4);
  }

  run(command: string, output: string, exitCode = 0): void {
    const ending = exitCode === 0 ? '' : `\n[exit code ${exitCode}]`;
    this.#add({ type: 'log', text: `$ ${command}\n${output}${ending}` }, 1.2);
  }

  decide(text: string): void {
    this.#add({ type: 'decision', text }, 0.2);
  }

  note(text: string): void {
    this.#add({ type: 'note', text }, 0.2);
  }

  #add(event: Pick<Event, 'type' | 'text' | 'role' | 'file'>, minutes: number): void {
    this.#minute += minutes;
    const id = `${event.type}-${this.events.length + 1}`;
    this.events.push({ minute: this.#minute, id, task: this.task, ...event });
  }
}

function planRefunds(to: Recorder): void {
  to.say('user', 'Let customers get their money back for single lines of an order. Partial refunds only, no vouchers.');
  to.say('assistant', 'I look at how orders and payments are stored before I propose anything.');
  to.run(
    'git log --oneline -20',
    Array.from({ length: 20 }, (_, at) => `${(7919 * (at + 3)).toString(16)} Change ${at}`).join('\n'),
  );
  for (const file of ['src/order.ts', 'src/payment.ts', 'src/routes.ts', 'db/schema.sql']) to.read(file, 0);
  to.say('assistant', 'A refund needs its own table: a payment may be refunded in several parts.');
  to.say('user', 'Agreed. Rounding must never pay out more than was paid in.');
  to.decide('Refunds go through the payment queue, never straight to the provider: retries stay in one place.');
  to.decide('Amounts are integers in cents; the last part of a refund takes the rest of the rounding.');
}

function workOnRefunds(to: Recorder, round: number): void {
  const failing = round % 3 !== 2;
  to.say('assistant', `Step ${round + 1}: ${STEPS[round]}.`);
  to.read('src/refund.ts', round);
  to.read(round % 2 === 0 ? 'src/payment.ts' : 'src/order.ts', round);
  to.run('npm run build', buildLog(round, round === 1), round === 1 ? 2 : 0);
  to.run('npm test', testLog(round, failing ? 'refund › rounds the last part' : undefined), failing ? 1 : 0);
  to.say(
    'assistant',
    failing ? 'One test fails: the last part is a cent short. I look at the rounding.' : 'All green.',
  );
  to.run(`grep -rn "roundHalf" src`, `src/refund.ts:${30 + round}: const cents = roundHalf(part);`);
  to.read('src/refund.ts', round + 1);
  to.say('assistant', `I keep the interface of refund.ts as it is: ${STEPS[round]} stays inside it.`);
  to.run('git diff --stat', ` src/refund.ts | ${4 + round} +-\n 1 file changed`);
  to.note(`refund.ts after step ${round + 1}: ${STEPS[round]} is done, ${STEPS[round + 1] ?? 'the docs'} is next.`);
  to.say('user', round === 3 ? 'Do not touch the invoice numbers.' : 'Go on.');
}

const STEPS = [
  'the table and its migration',
  'the service that splits an amount',
  'rounding of the last part',
  'the queue job',
  'the route and its validation',
  'the page for support staff',
  'the mail to the customer',
  'metrics',
  'the nightly report',
  'the limits per customer',
];

function switchToWebhook(to: Recorder): void {
  to.say(
    'user',
    'Stop: production answers 401 to the payment provider’s webhook since an hour. Find out why, refunds can wait.',
  );
  to.task = 'webhook';
  to.say('assistant', 'I take a snapshot of the refunds and look at the webhook.');
  to.run('kubectl logs deploy/shop --since=2h | grep webhook', webhookLog());
  to.read('src/webhook.ts', 0);
}

function workOnWebhook(to: Recorder, round: number): void {
  to.say('assistant', `Attempt ${round + 1}: ${ATTEMPTS[round]}.`);
  to.read('src/webhook.ts', round);
  to.run(
    'npm test -- webhook',
    testLog(round, round < 3 ? 'webhook › verifies the signature' : undefined),
    round < 3 ? 1 : 0,
  );
  to.run('curl -s -o /dev/null -w "%{http_code}" localhost:3000/webhook', round < 3 ? '401' : '200');
  to.read('src/webhook.ts', round + 1);
  to.note(`Webhook, attempt ${round + 1}: ${ATTEMPTS[round]}: ${round < 3 ? 'not the cause' : 'fixed'}.`);
  if (round === 3)
    to.decide('The webhook compares signatures over the raw body: a parsed and printed body differs in blanks.');
  to.say('user', round < 3 ? 'Still 401.' : 'It answers 200 again. Back to the refunds.');
}

const ATTEMPTS = [
  'the secret was rotated',
  'the clock is off',
  'a proxy strips the header',
  'the body is parsed before it is verified',
];

function sourceOf(file: string, version: number): string {
  const name = file.replace(/^.*\/|\.\w+$/g, '');
  const functions = Array.from({ length: 12 }, (_, at) => {
    const edited = at < version ? ` // changed in step ${at + 1}` : '';
    return `export function ${name}Part${at}(input: ${name}Input): number {${edited}\n  const cents = input.amount * ${at + 1};\n  return roundHalf(cents, input.currency);\n}\n`;
  });
  return `import { roundHalf } from './money.ts';\n\n${functions.join('\n')}`;
}

function buildLog(round: number, broken: boolean): string {
  const modules = Array.from(
    { length: 40 },
    (_, at) => `  compiled src/module-${at}.ts in ${((at * 7 + round) % 90) + 3} ms`,
  );
  return [
    ...modules,
    broken ? "error: src/refund.ts(31,9): Type 'string' is not assignable to type 'number'." : 'Build finished.',
  ].join('\n');
}

function testLog(round: number, failing: string | undefined): string {
  const passed = Array.from(
    { length: 120 },
    (_, at) => ` ✓ ${['order', 'payment', 'refund', 'mail'][at % 4]} › case ${at} (${((at * 13 + round) % 40) + 1} ms)`,
  );
  const failure = [` ✗ ${failing}`, '   AssertionError: expected 1999 to be 2000', '     at test/refund.test.ts:48:18'];
  return [...passed, ...(failing === undefined ? ['121 passed'] : [...failure, '1 failed, 120 passed'])].join('\n');
}

function webhookLog(): string {
  return Array.from({ length: 90 }, (_, at) =>
    at % 9 === 4
      ? `10:${10 + (at % 50)}:07 WARN webhook POST /webhook 401 signature mismatch: raw body 412 bytes, printed body 398 bytes`
      : `10:${10 + (at % 50)}:01 INFO webhook heartbeat ${at}`,
  ).join('\n');
}
