import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KillablePrograms, killablePrograms } from '../../support/killable-programs.ts';
import { listeningReceiver } from '../../support/receiver.ts';
import { seededRandom, seedFrom } from '../../support/seeded-random.ts';

/** `SHOPCTL_TEST_CHANGES=50000 SHOPCTL_TEST_KILLS=10 npx vitest run test/sandbox/webhooks/crash.proof.test.ts` for a long run. */
const total = Number(process.env.SHOPCTL_TEST_CHANGES ?? 3000);
const kills = Number(process.env.SHOPCTL_TEST_KILLS ?? 4);

let programs: KillablePrograms;

beforeAll(async () => {
  programs = await killablePrograms('test/sandbox/webhooks/delivery-process.ts');
});

afterAll(() => programs.remove());

/** Each gets its turn by chance; the third has read everything and fails to say so. */
const answers: readonly {
  readonly share: number;
  readonly accepts: boolean;
  give(response: ServerResponse, random: () => number): void;
}[] = [
  { share: 0.12, accepts: false, give: (response) => response.writeHead(500).end('ok') },
  { share: 0.08, accepts: false, give: (response) => response.end('OK') },
  { share: 0.1, accepts: false, give: (response) => response.destroy() },
  { share: 0.2, accepts: true, give: (response, random) => setTimeout(() => response.end('ok\n'), random() * 20) },
  { share: 1, accepts: true, give: (response) => response.end('ok') },
];

function pickAnswer(random: () => number) {
  let chance = random();
  return answers.find(({ share }) => {
    chance -= share;
    return chance < 0;
  });
}

interface Received {
  readonly callbackId: string;
  readonly numbers: readonly number[];
  readonly accepts: boolean;
  /** The process that sent it, counted from 0. */
  readonly generation: number;
}

it(
  'nothing is lost and nothing out of order although the process is killed at random and the receiver fails at random',
  async () => {
    const random = seededRandom('kills and answers of the deliveries');
    const received: Received[] = [];
    let generation = 0;
    let lastReceived = 0;
    let onReceived = () => {};
    const { url } = await listeningReceiver((response, { callback }) => {
      const answer = pickAnswer(random);
      const numbers = callback.changes.map(({ latest }) => Number(latest.customer_group?.name));
      received.push({ callbackId: callback.id, numbers, accepts: answer?.accepts === true, generation });
      lastReceived = Math.max(lastReceived, ...numbers);
      answer?.give(response, random);
      onReceived();
    });

    let acknowledged = 0;
    let done = false;
    const data = join(programs.scratch, 'data');
    for (; !done; generation += 1) {
      const doomed = generation < kills;
      const child = programs.start('delivery-process', [data, url, String(total), doomed ? 'doomed' : 'lives'], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, SHOPCTL_TEST_SEED: String(seedFrom(random)) },
      });
      const { stdout, stderr } = child;
      if (stdout === null || stderr === null) throw new Error('the process has no pipes');
      let fault = '';
      stderr.on('data', (chunk) => {
        fault += chunk;
      });
      // Killed somewhere in its share of the work: so many changes have come, and then a moment more.
      let mark = doomed ? (total * (generation + 0.9 * random())) / kills : Number.POSITIVE_INFINITY;
      onReceived = () => {
        if (lastReceived < mark) return;
        mark = Number.POSITIVE_INFINITY;
        setTimeout(() => child.kill('SIGKILL'), random() * 60);
      };
      createInterface({ input: stdout }).on('line', (line) => {
        if (line === 'done') done = true;
        if (line.startsWith('written ')) acknowledged = Number(line.slice('written '.length));
        // The one before it may have done its share, too.
        if (line === 'ready') onReceived();
      });
      const [code, signal] = await once(child, 'close');
      if (code !== 0 && signal !== 'SIGKILL') throw new Error(fault);
    }

    const { lost, outOfOrder } = examine(received);
    if (process.env.SHOPCTL_TEST_CHANGES) {
      const failed = received.filter(({ accepts }) => !accepts).length;
      console.log(
        `${total} changes, ${received.length} deliveries, ${failed} failed, ${generation - 1} kills: ` +
          `lost ${lost}, out of order ${outOfOrder.length}`,
      );
    }
    expect(outOfOrder).toEqual([]);
    expect(lost).toBe(0);
    expect(acknowledged).toBe(total);
    expect(generation).toBe(kills + 1);
  },
  Math.max(120_000, total * 20),
);

/** How many changes were never accepted, and which deliveries were not what had to come next. */
function examine(received: readonly Received[]): { lost: number; outOfOrder: Received[] } {
  const accepted = new Set(received.filter(({ accepts }) => accepts).flatMap(({ numbers }) => numbers));
  let before: Received | undefined;
  const outOfOrder: Received[] = [];
  for (const delivery of received) {
    if (!isNext(delivery, before)) outOfOrder.push(delivery);
    before = delivery;
  }
  return { lost: total - accepted.size, outOfOrder };
}

/** Either all of the last delivery again, or what follows it without a gap, and that only when it was accepted. */
function isNext({ callbackId, numbers, generation }: Received, before: Received | undefined): boolean {
  const first = numbers[0] ?? 0;
  const whole = numbers.length <= 1000 && numbers.every((number, index) => number === first + index);
  if (before === undefined) return whole && first === 1;
  const repeats = numbers.length === before.numbers.length && first === before.numbers[0];
  const follows = before.accepts && first === Number(before.numbers.at(-1)) + 1;
  // One process gives each attempt a new id; a new process may repeat an attempt whose outcome nobody wrote down.
  const newId = callbackId !== before.callbackId;
  return whole && ((repeats && (newId || generation > before.generation)) || (follows && newId));
}
