import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorStatus } from '../../src/contract/records/error.ts';
import { TransportError } from '../../src/platform/http/transport.ts';
import { manyOrders } from '../batch/batch-world.ts';
import { type Ended, type TestMachine, testMachine } from '../support/context.ts';
import { runnableWords, withWords } from '../support/example-words.ts';
import { json } from '../support/scripted-transport.ts';
import { shellWords } from '../support/shell-words.ts';
import { type Between, shopWorld } from '../support/shop-world.ts';
import { steppedClock } from '../support/stepped-clock.ts';
import { commands, endingAtOnce, settings } from './every-command/walk.ts';
import { copiedFrom } from './printed/copied.ts';

/** What a printed command does, by the longest name that it begins with; undefined for help of one. */
function effectOf(words: readonly string[]) {
  const line = `${words.join(' ')} `;
  const fitting = commands.filter(({ command }) => line.startsWith(`${command} `));
  return fitting.toSorted((one, other) => other.command.length - one.command.length)[0]?.effect;
}

const isPlaceholder = (word: string) => /^[A-Z]+$/.test(word);

/** Commands of a text that can be run as they are printed, and do more than look. */
function printedIn(text: string): string[][] {
  const lines = copiedFrom(text).map((line) => shellWords(line).slice(1));
  return lines.filter((words) => !words.some(isPlaceholder) && effectOf(words) !== 'read' && words[0] !== 'help');
}

/** How a run failed: its error and what it says to do; undefined if it did not. */
function failureOf({ exit, stderr }: Ended): string | undefined {
  const last = stderr.trim().split('\n').at(-1) ?? '';
  if (exit === 0 || !last.startsWith('{"error"')) return undefined;
  const { code, hint } = JSON.parse(last).error;
  return JSON.stringify([code, hint]);
}

const hintOf = (failure: string | undefined): string => (failure === undefined ? '' : (JSON.parse(failure)[1] ?? ''));

/** Runs that wait for what may come end at once; a sandbox in the background and a console would not. */
const stays = /^(?:sandbox|console|webhooks listen|auth login|auth setup|mcp)\b/;

const refusals = Object.entries(errorStatus).map(
  ([code, status]) => [code, () => json(status, { code, msg: `says ${code}`, meta: { field: 'id' } })] as const,
);
const lost = () => {
  throw new TransportError('closed', 'maybe', 'the connection was closed');
};

const answers = [...refusals, ['lost', lost] as const];
const calling = commands.filter(({ operations }) => operations.length > 0);
/** Every answer meets a quarter of the commands, those next to each other in turn; every command a quarter of the answers. */
const meetings = answers.map(
  ([name, answer], turn) => [name, answer, calling.filter((_, place) => place % 4 === turn % 4)] as const,
);

describe('what is printed after a failure looks, or does not fail in the same way once more', () => {
  it.each(meetings)('where commands are answered with %s', async (_, answer, met) => {
    const loops: unknown[] = [];
    let failures = 0;
    for (const command of met) {
      const machine: TestMachine = testMachine(async () => answer());
      const isOwn = command.operations[0]?.credential === 'shop-api-key';
      await machine.save({ ...settings, current_profile: isOwn ? 'sandbox-shop' : 'test' });
      const words = withWords(runnableWords(command), ['-o', 'json', '--yes']);
      const options = { ...endingAtOnce(command), clock: steppedClock() };
      const failure = failureOf(await machine.run(words, options));
      if (failure !== undefined) failures += 1;
      for (const printed of printedIn(hintOf(failure))) {
        if (stays.test(printed.join(' '))) continue;
        const again = failureOf(
          await machine.run(withWords(printed, ['-o', 'json', '--yes']), { clock: steppedClock() }),
        );
        if (again === failure) loops.push([words.join(' '), printed.join(' '), failure]);
      }
    }
    expect(loops).toEqual([]);
    expect(failures).toBeGreaterThan(met.length / 2);
  });
});

/** What a service does with the orders of a batch. */
const services: Readonly<Record<string, Between>> = {
  'refuses a field': (transport) => (request) =>
    request.url.endsWith('/CreateAndConfirmOrder')
      ? Promise.resolve(json(400, { code: 'invalid_argument', msg: 'lines is not served', meta: { field: 'lines' } }))
      : transport(request),
  'refuses the moment': (transport) => (request) =>
    request.url.endsWith('/CreateAndConfirmOrder')
      ? Promise.resolve(json(412, { code: 'failed_precondition', msg: 'the shop has no credit' }))
      : transport(request),
  'refuses the key': (transport) => (request) =>
    request.url.endsWith('/CreateAndConfirmOrder')
      ? Promise.resolve(json(403, { code: 'permission_denied', msg: 'not with this key' }))
      : transport(request),
  'refuses one of the fields, and one at this moment': (transport) => (request) => {
    if (!request.url.endsWith('/CreateAndConfirmOrder')) return transport(request);
    const isFirst = request.body.includes('0910000001');
    return Promise.resolve(
      isFirst
        ? json(400, { code: 'invalid_argument', msg: 'lines is not served', meta: { field: 'lines' } })
        : json(412, { code: 'failed_precondition', msg: 'the shop has no credit' }),
    );
  },
};

const sheets: Readonly<Record<string, readonly [sheet: string, flags: readonly string[]]>> = {
  plain: [manyOrders(3), []],
  'with a bad cell': [manyOrders(3).replace('0910000003', '09'), ['--skip-bad']],
  'above a limit': [manyOrders(3), ['--max-fee', '1000', '--skip-bad']],
};

describe('the next step of a batch', () => {
  const stories = Object.entries(services).flatMap(([service, between]) =>
    Object.entries(sheets).map(([name, [sheet, flags]]) => [service, name, between, sheet, flags] as const),
  );

  it.each(stories)('ends, where the service %s: %s', async (_, __, between, sheet, flags) => {
    const world = await shopWorld(between);
    writeFileSync(join(world.directory, 'orders.csv'), sheet);
    let words: readonly string[] = ['batch', 'run', 'orders.csv', '--yes', ...flags];
    let before: string | undefined;
    for (let steps = 0; ; steps += 1) {
      const { exit, stdout, stderr } = await world.run([...words, '-o', 'json'], { clock: steppedClock() });
      expect([words, exit]).toEqual([words, expect.any(Number)]);
      const { next } = JSON.parse(stdout);
      // What a person reads is what a program gets.
      expect(stderr).toContain(next === null ? '' : `next: ${next}`);
      // Where the rows are looked at, the sentence names the same look.
      if (next?.includes(' batch rows '))
        expect(copiedFrom(stderr).some((line) => line.startsWith('shopctl batch rows') && line !== next)).toBe(false);
      const named = copiedFrom(stderr).filter((line) => line.startsWith('shopctl batch retry '));
      if (next?.startsWith('shopctl batch retry')) expect(named).toContain(next);
      else expect(named.filter((line) => !/ \S+\.csv\b| AMOUNT\b| FILE\b/.test(line))).toEqual([]);
      if (next === null || effectOf(shellWords(next).slice(1)) === 'read') {
        expect(exit === 0).toBe(next === null);
        break;
      }
      expect(`${exit} ${next}`).not.toBe(before);
      before = `${exit} ${next}`;
      words = [...shellWords(next).slice(1), '--yes'];
      expect(steps).toBeLessThan(4);
    }
  });

  it('is to send the rows again that may pass then, and they do', async () => {
    let isRefused = true;
    const world = await shopWorld((transport) => (request) => {
      if (!isRefused || !request.url.endsWith('/CreateAndConfirmOrder')) return transport(request);
      return Promise.resolve(json(412, { code: 'failed_precondition', msg: 'the shop has no credit' }));
    });
    writeFileSync(join(world.directory, 'orders.csv'), manyOrders(2));
    const first = await world.run(['batch', 'run', 'orders.csv', '--yes', '-o', 'json'], { clock: steppedClock() });
    isRefused = false;
    const { next } = JSON.parse(first.stdout);
    expect(next).toMatch(/^shopctl batch retry [\w-]+ --profile test$/);
    const words = [...shellWords(next).slice(1), '--yes', '-o', 'json'];
    const retried = await world.run(words, { clock: steppedClock() });
    expect([retried.exit, JSON.parse(retried.stdout)]).toMatchObject([0, { counts: { done: 2 }, next: null }]);
  });

  it('goes on where the service was away, and ends once it is back', async () => {
    let isAway = true;
    const world = await shopWorld(
      (transport) => (request) =>
        isAway && /\/(?:CreateAndConfirmOrder|GetOrder)$/.test(request.url) ? lost() : transport(request),
    );
    writeFileSync(join(world.directory, 'orders.csv'), manyOrders(2));
    const first = await world.run(['batch', 'run', 'orders.csv', '--yes', '-o', 'json'], { clock: steppedClock() });
    const { next } = JSON.parse(first.stdout);
    expect([first.exit, next]).toEqual([10, expect.stringContaining('shopctl batch resume ')]);
    isAway = false;
    const resumed = await world.run([...shellWords(next).slice(1), '-o', 'json'], { clock: steppedClock() });
    expect([resumed.exit, JSON.parse(resumed.stdout)]).toMatchObject([0, { counts: { done: 2 }, next: null }]);
  });

  it('names the file that is to be corrected, and looks at the rows', async () => {
    const world = await shopWorld(services['refuses a field']);
    writeFileSync(join(world.directory, 'orders.csv'), manyOrders(1));
    const { stdout, stderr } = await world.run(['batch', 'run', 'orders.csv', '--yes', '-o', 'json']);
    const { batch, next } = JSON.parse(stdout);
    expect(next).toBe(`shopctl batch rows ${batch} --state failed --profile test`);
    expect(stderr).toMatch(new RegExp(`\`shopctl batch retry ${batch} \\S*orders\\.csv --profile test\` sends them`));
  });
});
