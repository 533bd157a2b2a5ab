import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { runHere } from '../support/run-here.ts';
import { createShipnow } from '../support/shipnow.ts';
import { messagesOf } from '../support/stderr-lines.ts';
import { callbacks, type DeedName, type FailureName, failures } from './callbacks.ts';
import { inParallel } from './in-parallel.ts';
import { type Machine, openStage, type Stage } from './stage.ts';
import { type Creating, creatings, printedId } from './writes.ts';

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

/** What has to come of it: the exit, the outcome (applied where it is 0), the state of the draft, and how many live. */
interface Expected {
  readonly exit: number;
  readonly outcome: 'applied' | 'not_applied' | 'unknown';
  readonly draft: 'reported' | 'done' | 'sending' | 'unclear' | 'failed' | 'none';
  readonly live: number;
}

interface Case extends Expected {
  readonly sent: string;
  readonly came: DeedName;
  readonly failed: FailureName;
}

const good = { exit: 0, outcome: 'applied', draft: 'reported', live: 1 } as const;
const unknown = (live: number) => ({ exit: 10, outcome: 'unknown', draft: 'unclear', live }) as const;

const lost: readonly DeedName[] = [
  'nothing: the connection closed after it was done',
  'half of its answer',
  'nothing within the time limit',
  'a page of HTML, with 200',
  'its answer, with 40 MB in an unknown field',
  '500 internal',
  '408 without a code',
  '302',
  '403 of a gateway',
  '502 of a gateway',
];

const isHuge = (came: DeedName) => came.includes('40 MB');

/** Whether it runs out of memory, disk or pipe: what a process of its own is needed for. */
const needsProcess = ({ came, failed }: Case) =>
  isHuge(came) || failed.startsWith('the disk') || failed.startsWith('stdout');

/** A create that can be settled: almost everything ends well. */
function ofCreating({ title }: Creating): Case[] {
  const made = (came: DeedName, expected: Expected = good, failed: FailureName = '-'): Case => ({
    sent: title,
    came,
    failed,
    ...expected,
  });
  return [
    made('its answer'),
    made('nothing: the connection closed before the service had it'),
    ...lost.filter((came) => title === 'ship' || !isHuge(came)).map((came) => made(came)),
    made('its answer, with an unknown field 6,000 levels deep'),
    made('503 unavailable with Retry-After, after it was done'),
    made('429, after it was done'),
    // Under an id of the caller's own a 409 says that the id is taken, and no more.
    made('the answer of its second delivery', good),
    made('fields of wrong types, with 200'),
    // Too deep to be read: its status alone tells nothing, and a name makes it safe to send again.
    made('400 with meta 6,000 levels deep'),
    made('its answer', { ...good, draft: 'sending' }, 'the disk is full'),
    made('its answer', { ...good, draft: 'sending' }, 'the disk is read-only'),
    made('its answer', { ...good, draft: 'done' }, 'stdout is full'),
    made('500 internal', { exit: 10, outcome: 'unknown', draft: 'unclear', live: 1 }, 'every lookup'),
  ];
}

/** A write without a name that could be looked up and kept from being made twice: sent once, and told as it is known. */
interface Plain {
  readonly title: string;
  readonly operation: string;
  /** Prepares what it is about, and gives the words and a count of what it is to make true. */
  readonly set: (
    stage: Stage,
    machine: Machine,
    name: string,
  ) => Promise<{ words: readonly string[]; live: () => Promise<number> }>;
  readonly twice: Omit<Expected, 'draft'>;
  readonly after503: Omit<Expected, 'draft'>;
}

const ownShop = ['--json', '--profile', 'shop'];

async function orderOf(stage: Stage, name: string, operation: string, quoted: boolean): Promise<string> {
  const { shipping: _, ...order } = stage.plain(name) as Record<string, unknown>;
  const request = quoted ? await stage.quoted(name) : order;
  const key = operation.startsWith('partner.') ? stage.service.shopKey : stage.service.shop.apiKey;
  const { body } = await stage.service.post(operation, request, key);
  return String(body.order?.id ?? body.id);
}

const plains: readonly Plain[] = [
  {
    title: 'shipnow create',
    operation: 'shop.Shipnow/CreateShipnowFulfillment',
    async set(stage, machine, name) {
      const words = [
        'shipnow',
        'create',
        '--input',
        machine.file(`${name}.json`, await stage.delivery(name)),
        ...ownShop,
      ];
      return { words, live: async () => (await stage.liveDeliveries(name)).length };
    },
    twice: { exit: 0, outcome: 'applied', live: 2 },
    after503: { exit: 0, outcome: 'applied', live: 1 },
  },
  {
    title: 'orders confirm',
    operation: 'shop.Order/ConfirmOrder',
    async set(stage, _, name) {
      const id = await orderOf(stage, name, 'shop.Order/CreateOrder', false);
      const live = async () =>
        (await stage.liveOrders(name)).filter(({ confirm_status }) => confirm_status === 'P').length;
      return { words: ['orders', 'confirm', id, ...ownShop], live };
    },
    twice: { exit: 0, outcome: 'applied', live: 1 },
    after503: { exit: 0, outcome: 'applied', live: 1 },
  },
  ...(['orders', 'shipping'] as const).map(
    (group): Plain => ({
      title: `${group} cancel`,
      operation: `${group === 'orders' ? 'shop.Order' : 'partner.Shipping'}/CancelOrder`,
      async set(stage, _, name) {
        const create = group === 'orders' ? 'shop.Order/CreateOrder' : 'partner.Shipping/CreateAndConfirmOrder';
        const id = await orderOf(stage, name, create, group === 'shipping');
        const words = [group, 'cancel', id, '--cancel-reason', 'changed', '--yes', '--json'];
        // What is to come true is that it lives no more.
        const live = async () => 1 - (await stage.liveOrders(name)).length;
        return { words: group === 'orders' ? [...words, '--profile', 'shop'] : words, live };
      },
      twice: { exit: 5, outcome: 'not_applied', live: 1 },
      after503: good,
    }),
  ),
  {
    title: 'shipnow cancel',
    operation: 'shop.Shipnow/CancelShipnowFulfillment',
    async set(stage, _, name) {
      const { body } = await createShipnow(stage.service, { shipping_note: name });
      const words = ['shipnow', 'cancel', String(body.id), '--cancel-reason', 'changed', '--yes', ...ownShop];
      return { words, live: async () => 1 - (await stage.liveDeliveries(name)).length };
    },
    twice: { exit: 5, outcome: 'not_applied', live: 1 },
    after503: good,
  },
];

/** What a look-up by a name of its own proves; a change holds its record only until its outcome is known. */
function ofPlain({ title, twice, after503 }: Plain): Case[] {
  const isCreate = title === 'shipnow create';
  const made = (came: DeedName, expected: Omit<Expected, 'draft'>, failed: FailureName = '-'): Case => ({
    sent: title,
    came,
    failed,
    ...expected,
    draft: isCreate ? draftOf(expected, failed) : 'none',
  });
  const ofLost = isCreate ? good : unknown(1);
  return [
    made('its answer', good),
    made('nothing: the connection closed before the service had it', unknown(0)),
    // A change that is answered with an error is read: it shows that it was made.
    ...lost
      .filter((came) => isCreate || !isHuge(came))
      .map((came) => made(came, came === '500 internal' ? good : ofLost)),
    made('its answer, with an unknown field 6,000 levels deep', ofLost),
    made('503 unavailable with Retry-After, after it was done', after503),
    made('the answer of its second delivery', twice),
    made('400 with meta 6,000 levels deep', { exit: 10, outcome: 'unknown', live: 0 }),
    made('its answer', good, 'stdout is full'),
  ];
}

function draftOf({ outcome }: Omit<Expected, 'draft'>, failed: FailureName): Expected['draft'] {
  if (outcome === 'applied') return failed === '-' ? 'reported' : 'done';
  return outcome === 'unknown' ? 'unclear' : 'none';
}

/** Every command that is sent once, with what befell it; the same in the table of the docs. */
const cases: readonly Case[] = [...creatings.flatMap(ofCreating), ...plains.flatMap(ofPlain)];

let subjects = 0;

async function subjectOf(stage: Stage, machine: Machine, sent: string) {
  subjects += 1;
  const name = `Case ${subjects}`;
  const creating = creatings.find(({ title }) => title === sent);
  if (creating !== undefined) {
    const words = await creating.words(stage, machine, name);
    return { words, operation: creating.operation, creating, live: async () => (await stage.liveOrders(name)).length };
  }
  const plain = plains.find(({ title }) => title === sent) as Plain;
  return { ...(await plain.set(stage, machine, name)), operation: plain.operation, creating: undefined };
}

async function draftState(machine: Machine): Promise<string> {
  return (await machine.intents()).map(({ state }) => state).join(', ') || 'none';
}

const errorIn = ({ stderr }: { readonly stderr: string }) => {
  const line = stderr.split('\n').find((text) => text.startsWith('{"error"'));
  return line === undefined ? undefined : JSON.parse(line).error;
};

/** Plays a case, and says what came of it; then the same command again where nobody could read its answer. */
async function play(stage: Stage, one: Case) {
  const { sent, came, failed } = one;
  const machine = await stage.machine();
  const { words, operation, creating, live } = await subjectOf(stage, machine, sent);
  machine.proxy.plans.push({
    operation,
    times: 1,
    async deed(way) {
      const breaking = failures[failed];
      await callbacks[came]({
        ...way,
        answer(response) {
          breaking?.(machine);
          way.answer(response);
        },
      });
    },
  });
  if (failed === 'every lookup') {
    machine.proxy.plans.push({ operation: '/GetOrder', times: 99, deed: async (way) => way.drop() });
  }
  const slow = came === 'nothing within the time limit' ? ['--timeout', '2'] : [];
  const quick = failed === 'every lookup' ? ['--max-retries', '0'] : [];
  const line = [...words, ...slow, ...quick];
  const ran = needsProcess(one)
    ? await machine.run(line, {
        counting: true,
        fullStdout: failed === 'stdout is full',
        nodeOptions: isHuge(came) ? '--max-old-space-size=160' : '',
      })
    : await runHere(machine.directory, line);
  const error = errorIn(ran);
  const after = {
    exit: ran.code,
    outcome: ran.code === 0 ? 'applied' : error?.outcome,
    draft: await draftState(machine),
    live: await live(),
  };
  const problems: string[] = [];
  const external_id = /^external_id (\S+)$/m.exec(messagesOf(ran.stderr))?.[1];
  if (
    creating !== undefined &&
    !creating.named &&
    !sent.startsWith('ship,') &&
    sent !== 'ship' &&
    external_id === undefined
  ) {
    problems.push('the made external_id was not told');
  }
  if (after.outcome !== 'not_applied' && error !== undefined) {
    if (!/shopctl /.test(error.hint ?? '')) problems.push(`no way to find out: ${error.hint}`);
    if (creating !== undefined && error.meta.external_id === undefined) problems.push('no external_id among the facts');
  }
  // Where it was refused for good, or named as it was, there is nothing to settle.
  if (creating !== undefined && printedId(ran) === undefined && ran.code !== 2 && ran.code !== 5) {
    machine.breakDisk(undefined);
    machine.proxy.plans = [];
    const again = await runHere(machine.directory, words);
    if (again.code !== 0 || printedId(again) === undefined) problems.push(`again: ${again.code} ${again.stderr}`);
    if ((await live()) !== 1) problems.push(`again: ${await live()} live`);
  }
  return { after, problems, stderr: ran.stderr };
}

/** Adds to the texts of a key, in the order in which they come. */
function add(texts: Map<string, Set<string>>, key: string, text: string): void {
  texts.set(key, (texts.get(key) ?? new Set()).add(text));
}

/** What is written in the same way for every order is said once. */
function allOf(titles: ReadonlySet<string>): string {
  const orders = creatings.map(({ title }) => title);
  if (!orders.every((title) => titles.has(title))) return [...titles].join('; ');
  return ['every order', ...[...titles].filter((title) => !orders.includes(title))].join('; ');
}

/** The lines of the table: cases that end in the same way stand together. */
function linesOfTable(): string[] {
  const sentBy = new Map<string, Set<string>>();
  for (const { sent, came, failed, exit, outcome, draft, live } of cases) {
    add(sentBy, `${came} | ${[failed, exit, outcome, draft, live].join(' | ')}`, sent);
  }
  const cameBy = new Map<string, Set<string>>();
  for (const [key, sent] of sentBy) {
    const [came = '', ...end] = key.split(' | ');
    add(cameBy, `${allOf(sent)} | * | ${end.join(' | ')}`, came);
  }
  return [...cameBy].map(([line, came]) => `| ${line.replace('*', () => [...came].join('; '))} |`);
}

/** Everything before the table is written by hand. */
const [guide = ''] = readFileSync('docs/outcomes.md', 'utf8').split('\n## Every case\n');

const page = `${guide}
## Every case

What is printed and stored, whatever comes back and whatever fails afterwards. \`test/promises/outcomes.proof.test.ts\` plays each case
with a proxy and the sandbox, and writes this table (\`npx vitest run test/promises/outcomes.proof.test.ts -u\`). *Live* is how many
orders or deliveries are at the service afterwards (of a confirmation or cancellation: whether it took effect). Where a create
did not end with its answer on stdout, the same command runs once more: one order is live then, and it is printed.

| Sent | What came back | What failed then | Exit | Outcome | Draft | Live |
| --- | --- | --- | --- | --- | --- | --- |
${linesOfTable().join('\n')}
`;

it('a write ends as its row of the table says, and the same command again makes no other', async () => {
  const stage = await openStage(program);
  const wrong = await inParallel(cases, 4, async (one) => {
    const { exit, outcome, draft, live } = one;
    const { after, problems, stderr } = await play(stage, one);
    const isAsTold = JSON.stringify(after) === JSON.stringify({ exit, outcome, draft, live });
    return isAsTold && problems.length === 0 ? undefined : { ...one, after, problems, stderr };
  });
  expect(wrong.filter((one) => one !== undefined)).toEqual([]);
  await expect(page).toMatchFileSnapshot('../../docs/outcomes.md');
});
