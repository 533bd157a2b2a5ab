import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandEffects, READS_ONLY } from '../../src/action/declared.ts';
import { consequencesOf, isRefusedToAgents, removalQuestion } from '../../src/action/effects.ts';
import { globalFlags } from '../../src/cli/line/globals.ts';
import { groups } from '../../src/cli/tree/groups.ts';
import type { CommandData } from '../../src/cli/tree/tree.ts';
import { findOperation } from '../../src/contract/areas.ts';
import { manyOrders } from '../batch/batch-world.ts';
import type { RunOptions, TestMachine } from '../support/context.ts';
import { runnableWords, withWords } from '../support/example-words.ts';
import { type ShopWorld, shopWorld } from '../support/shop-world.ts';
import { errorOf } from '../support/stderr-lines.ts';
import { steppedClock } from '../support/stepped-clock.ts';
import { changedBetween, storedFiles } from '../support/stored-files.ts';
import { commands, endingAtOnce } from './every-command/walk.ts';

const graveness = (effect: CommandData['effect']) => commandEffects.indexOf(effect);
const isGrave = ({ effects }: CommandData) => effects.some((effect) => graveness(effect) > graveness('store'));

const actions = (await Promise.all(groups.map(async ({ load }) => (await load()).commands))).flatMap((all) =>
  all.flatMap((command) => command.actions),
);

it('the question before something is removed says what was given, and nothing of what was left open', async () => {
  const action = { words: ['groups', 'remove'], summary: 'Remove a group' } as const;
  const ports = {} as Parameters<typeof removalQuestion>[2];
  const question = await removalQuestion(action, { id: '7', note: null, shop: undefined, all: false }, ports);
  expect(question).toBe('Remove a group (id 7, all false) — are you sure?');
});

describe('every command', () => {
  it('says the gravest of its effects, how it is undone, and how it asks', () => {
    const names = new Set(commands.map(({ command }) => command));
    for (const { command, effect, effects, undo, why_not, confirm } of commands) {
      expect([command, effects.map(graveness)]).toEqual([command, effects.map(graveness).toSorted((a, b) => a - b)]);
      expect([command, effect]).toEqual([command, effects.at(-1)]);
      expect([command, (undo === null) !== (why_not === null)]).toEqual([command, true]);
      if (undo !== null) expect(names).toContain(undo);
      if (effects.includes('read')) expect([command, effects, confirm]).toEqual([command, ['read'], 'never']);
    }
  });

  it('says what the operations do that it calls', () => {
    for (const { command, effects, operations } of commands) {
      const writes = operations.some(({ effect }) => effect !== 'read');
      if (writes) expect([command, isGrave({ effects } as CommandData)]).toEqual([command, true]);
    }
    const costs = commands.filter(({ effects }) => effects.includes('spend')).map(({ command }) => command);
    expect(costs).toEqual(expect.arrayContaining(['ship', 'batch run', 'shipping create', 'shipnow create', 'api']));
  });

  it('says secret where it prints a key, and nowhere else', () => {
    const secret = commands.filter(({ effects }) => effects.includes('secret')).map(({ command }) => command);
    expect(secret.toSorted()).toEqual(['api', 'auth token', 'sandbox credentials']);
  });

  it('means by read, and by --quiet, what the page for scripts says of them', () => {
    const page = readFileSync('docs/scripts.md', 'utf8').replaceAll('\n', ' ');
    expect(page).toContain(`| \`read\` | ${READS_ONLY} |`);
    expect(commands.find(({ command }) => command === 'commands')?.description).toContain(READS_ONLY);
    expect(page).toContain(`\`--quiet\`: ${globalFlags.find(({ name }) => name === 'quiet')?.description}.`);
  });

  it('of our own that changes something declares what takes it back', () => {
    const silent = actions.filter(
      ({ id, effect, undo }) => !id.includes('/') && !['read', 'secret'].includes(effect) && undo === undefined,
    );
    expect(silent.map(({ id }) => id)).toEqual([]);
  });

  it('says it in its schema too', async () => {
    const world = await shopWorld();
    for (const words of ['ship', 'orders cancel', 'auth token', 'cod reconcile', 'shop.Order/GetOrder']) {
      const { stdout } = await world.run(['schema', ...words.split(' '), '--json', '--profile', 'shop']);
      const name = words.includes('/') ? 'orders get' : words;
      const { effect, effects, undo, why_not, confirm } = commands.find(({ command }) => command === name) ?? {};
      expect(JSON.parse(stdout)).toMatchObject({ effect, effects, undo, why_not, confirm });
    }
  });
});

describe('commands', () => {
  it('says all of them in short, and which are harmless', async () => {
    const world = await shopWorld();
    const { stdout } = await world.run(['commands', '--brief', '-o', 'json']);
    expect(Buffer.byteLength(stdout)).toBeLessThan(30_000);
    expect(JSON.parse(stdout)).toEqual(commands.map(({ command, summary, effect }) => ({ command, summary, effect })));
    const example = commands
      .find(({ command }) => command === 'commands')
      ?.examples.find((one) => /\?effect/.test(one));
    const query = /--query "(.*)"/.exec(example ?? '')?.[1] ?? '';
    const harmless = JSON.parse((await world.run(['commands', '-o', 'json', '--query', query])).stdout);
    expect(harmless).toEqual(commands.filter(({ effect }) => effect === 'read').map(({ command }) => command));
    for (const other of ['ship', 'webhooks listen', 'webhooks send', 'auth token', 'cod reconcile', 'sandbox exec'])
      expect(harmless).not.toContain(other);
  });
});

/** The calls of a service, by their operations. */
interface Recorded extends ShopWorld {
  readonly called: string[];
}

async function recordedWorld(): Promise<Recorded> {
  const called: string[] = [];
  const world = await shopWorld((transport) => (request) => {
    called.push(new URL(request.url).pathname.replace('/v1/', ''));
    return transport(request);
  });
  return { ...world, called };
}

/** A world in which something was done: parcels, a batch, a draft, a lost answer, a mirror of a part, more profiles. */
async function usedWorld(): Promise<Recorded> {
  const world = await recordedWorld();
  writeFileSync(join(world.directory, 'orders.csv'), manyOrders(2));
  const shop = ['--profile', 'shop'];
  const operation = 'shop.CustomerGroup/CreateGroup';
  for (const words of [
    ['batch', 'run', 'orders.csv', '--yes'],
    ['customers', 'create', '--full-name', 'Lan', '--phone', '0912345678', ...shop],
    ['products', 'create', '--name', 'Tea', ...shop],
    ['mirror', 'sync', '--area', 'customers', ...shop],
    ['workspace', 'show'],
  ])
    expect([words, (await world.run(words)).exit]).toEqual([words, 0]);
  await world.service.sandbox.control.faults.add({ operation, once: true, do: 'drop-after-commit' });
  await world.run(['groups', 'create', '--name', 'Buyers', ...shop]);
  world.called.length = 0;
  return world;
}

/** Commands that wait for what may come: a signal ends them at once. */
const isEndless = ({ command }: CommandData) => /^wait |^events tail|^sandbox log/.test(command);

const optionsFor = (command: CommandData): RunOptions => ({
  ...endingAtOnce(command),
  ...(isEndless(command) ? { signal: AbortSignal.abort('SIGTERM') } : {}),
  clock: steppedClock(),
});

/** The line that a command is tried with: with the id of a record if one is there, else its example. */
async function lineOf(command: CommandData, world: TestMachine): Promise<readonly string[]> {
  const example = runnableWords(command);
  const [operation] = command.operations;
  if (operation?.positional === undefined) return example;
  const listed = await world.run([command.group, 'list', '-o', 'name', '--profile', 'shop', '--limit', '1']);
  const [id] = listed.stdout.split('\n');
  return id === undefined || id === '' ? example : [...command.command.split(' '), id];
}

const reading = commands.filter(({ effect }) => effect === 'read');

describe('a command whose effect is read', () => {
  it.each([
    ['on a fresh machine', recordedWorld, ['shop']],
    ['on a used machine', usedWorld, ['test', 'shop']],
  ])('writes nothing at the service, and changes no file: %s', async (_, open, profiles) => {
    const world = await open();
    const wrong: unknown[] = [];
    let before = await storedFiles(world.directory);
    for (const command of reading) {
      const words = await lineOf(command, world);
      for (const profile of profiles) {
        world.called.length = 0;
        const line = withWords(words, ['-o', 'json', '--profile', profile]);
        const { exit, stderr } = await world.run(line, optionsFor(command));
        expect([line, exit === 1 ? stderr : '']).toEqual([line, '']);
        const known = await Promise.all(world.called.map(findOperation));
        const writes = known.filter((operation) => operation?.effect !== 'read').map((operation) => operation?.id);
        const after = await storedFiles(world.directory);
        const changed = changedBetween(before, after);
        before = after;
        if (writes.length + changed.length > 0) wrong.push([line.join(' '), writes, changed]);
      }
    }
    expect(reading.length).toBeGreaterThan(70);
    expect(wrong).toEqual([]);
  });
});

/** What else read-only mode refuses: it changes the settings, keys, or the set-up of this machine. */
const settling =
  /^(?:auth|profiles|config) (?!status|shops|list|show|get|path)|^workspace (?:move|address)|^(?:webhooks|mirror|cod) (?:un)?install|^sandbox start|^approve$|^agents policy (?:edit|accept)$|^(?:(?:batch|ledger) settle|cod close)$/;
/** Whether these are refused depends on what they are given; the calls that they make are refused one by one. */
const byInput = ['api', 'console', 'mcp', 'conformance run', 'conformance diff', 'slips', 'webhooks listen'];
const isByInput = ({ command }: CommandData) => byInput.includes(command);

describe('read-only mode', () => {
  it('refuses what writes, changes settings or keys, or removes, before anything else; and nothing besides', async () => {
    const world = await usedWorld();
    const before = await storedFiles(world.directory);
    for (const command of commands.filter((one) => !isByInput(one))) {
      const isRefused = isGrave(command) || settling.test(command.command);
      const line = withWords(runnableWords(command), ['-o', 'json', '--yes', '--read-only']);
      if (!isRefused) continue;
      const { exit, stdout, stderr, prompter } = await world.run(line, { clock: steppedClock() });
      expect([line, exit, stdout, prompter.asked]).toEqual([line, 12, '', []]);
      expect(errorOf(stderr)).toMatchObject({ code: 'read_only', outcome: 'not_applied' });
    }
    expect(world.called).toEqual([]);
    expect(await storedFiles(world.directory)).toEqual(before);
    const allowed = commands.filter((one) => !isByInput(one) && !isGrave(one) && !settling.test(one.command));
    for (const command of allowed) {
      const line = withWords(runnableWords(command), ['-o', 'json', '--yes', '--read-only']);
      const { exit } = await world.run(line, optionsFor(command));
      expect([line, exit === 12]).toEqual([line, false]);
    }
    const known = await Promise.all(world.called.map(findOperation));
    expect(known.filter((operation) => operation?.effect !== 'read')).toEqual([]);
  });

  it('neither asks a person to close the settings, nor closes them', async () => {
    const world = await recordedWorld();
    chmodSync(join(world.directory, 'config.json'), 0o644);
    for (const line of [
      ['doctor', '--read-only'],
      ['doctor', '--read-only', '--yes'],
    ]) {
      const { exit, prompter } = await world.run(line, { terminal: true, answers: [true], clock: steppedClock() });
      expect([line, exit === 12, prompter.asked]).toEqual([line, false, []]);
      expect(statSync(join(world.directory, 'config.json')).mode & 0o777).toBe(0o644);
    }
  });

  it.each(commands.filter(isByInput).map((command) => [command.command, command] as const))(
    'lets no write through: %s',
    async (_, command) => {
      const world = await recordedWorld();
      const line = withWords(runnableWords(command), ['--yes', '--read-only']);
      await world.run(line, { ...optionsFor(command), signal: AbortSignal.abort('SIGTERM') });
      const known = await Promise.all(world.called.map(findOperation));
      expect(known.filter((operation) => operation?.effect !== 'read')).toEqual([]);
    },
  );
});

describe('an agent in a shell', () => {
  const asAgent = { env: { SHOPCTL_AGENT: '1' } };
  /** What an action and its operations do beyond storing something here. */
  const gravely = async (action: (typeof actions)[number]) => {
    const called = await Promise.all((action.operations ?? []).map(findOperation));
    const { effects } = consequencesOf(
      [action],
      called.flatMap((operation) => operation ?? []),
    );
    return effects.filter((effect) => graveness(effect) > graveness('store'));
  };

  it('passes nothing by its declaration that may write, spend, destroy, or give a word: but by plan, or by call', async () => {
    const passing: unknown[] = [];
    for (const action of actions) {
      if (action.takesWord === true) expect([action.id, action.agents ?? 'none']).toEqual([action.id, 'none']);
      if (isRefusedToAgents(action)) continue;
      expect([action.id, action.takesWord]).toEqual([action.id, undefined]);
      const grave = await gravely(action);
      if (grave.length === 0) continue;
      const { effect, adds = {}, byPlans } = action;
      passing.push([action.id, effect === 'by-call' ? effect : byPlans === true ? 'by plans' : Object.keys(adds)]);
    }
    expect(passing.sort()).toEqual([
      ['api', 'by-call'],
      ['approve', 'by plans'],
      ['conformance.diff', 'by-call'],
      ['conformance.run', 'by-call'],
      ['mcp', 'by plans'],
      ['slips', ['print']],
      ['webhooks.listen', ['register', 'exec', 'forward_to']],
    ]);
  });

  it('types no command that writes, also not agreed to beforehand', async () => {
    const world = await usedWorld();
    const words = actions.flatMap((action) => (action.takesWord === true ? [action.words.join(' ')] : []));
    expect(words.sort()).toEqual(['batch settle', 'cod close', 'ledger settle']);
    for (const command of commands.filter((one) => isGrave(one) || words.includes(one.command))) {
      const line = withWords(runnableWords(command), ['-o', 'json', '--yes']);
      const options = { ...optionsFor(command), ...asAgent, signal: AbortSignal.abort('SIGTERM') };
      const { exit } = await world.run(line, options);
      if (!isByInput(command) || command.command === 'console') expect([line, exit]).not.toEqual([line, 0]);
    }
    const known = await Promise.all(world.called.map(findOperation));
    expect(known.filter((operation) => operation?.effect !== 'read')).toEqual([]);
  });
});

describe('a lock of read-only mode', () => {
  const group = ['groups', 'create', '--name', 'VIP', '-o', 'json'];

  it('is lifted by no flag, variable or profile', async () => {
    const world = await recordedWorld();
    expect((await world.run(['config', 'set', 'read_only', 'locked'])).exit).toBe(0);
    expect((await world.run(['config', 'get', 'read_only'])).stdout).toContain('locked');
    const before = await storedFiles(world.directory);
    for (const [words, env] of [
      [[...group, '--profile', 'shop'], {}],
      [[...group, '--profile', 'shop'], { SHOPCTL_READ_ONLY: 'false' }],
      [group, { SHOPCTL_PROFILE: 'shop', SHOPCTL_READ_ONLY: '0' }],
      [['profiles', 'use', 'shop', '-o', 'json'], { SHOPCTL_READ_ONLY: 'no' }],
      [['config', 'set', 'read_only', 'false', '-o', 'json'], {}],
      [['config', 'unset', 'read_only', '--yes', '-o', 'json'], { SHOPCTL_READ_ONLY: 'false' }],
      [['config', 'set', 'read_only', 'true', '-o', 'json', '--profile', 'shop'], {}],
      [['config', 'set', 'output', 'json', '-o', 'json', '--profile', 'shop'], {}],
    ] as const) {
      const { exit, stderr } = await world.run([...words], { env });
      expect([words, exit, errorOf(stderr).code]).toEqual([words, 12, 'read_only']);
    }
    // Neither does a person who has agreed beforehand.
    const agreed = await world.run(['config', 'set', 'read_only', 'false', '--yes'], { terminal: true });
    expect([agreed.exit, agreed.prompter.asked]).toEqual([12, []]);
    expect(await storedFiles(world.directory)).toEqual(before);
    expect(world.called).toEqual([]);
  });

  it('is lifted by a person at a terminal, who is asked', async () => {
    const world = await recordedWorld();
    await world.run(['config', 'set', 'read_only', 'locked', '--profile', 'shop']);
    const set = ['config', 'set', 'read_only', 'false'];
    const no = await world.run(set, { terminal: true, answers: [false] });
    expect([no.exit, no.stderr]).toEqual([expect.any(Number), expect.stringContaining('stays locked')]);
    expect((await world.run([...group, '--profile', 'shop'])).exit).toBe(12);
    const yes = await world.run(set, { terminal: true, answers: [true] });
    expect([yes.exit, yes.stderr]).toEqual([0, yes.stderr]);
    // The profile that was locked still only reads, as a profile does that is not locked.
    expect((await world.run([...group, '--profile', 'shop'])).exit).toBe(12);
    const variable = { env: { SHOPCTL_READ_ONLY: 'false' } };
    expect((await world.run([...group, '--profile', 'shop'], variable)).exit).toBe(0);
  });

  it('is no lock where a profile only has it true: config set lifts that, and a variable does', async () => {
    const world = await recordedWorld();
    const shop = ['--profile', 'shop'];
    await world.run(['config', 'set', 'read_only', 'true', ...shop]);
    expect((await world.run([...group, ...shop])).exit).toBe(12);
    expect((await world.run(['config', 'set', 'output', 'json', ...shop])).exit).toBe(12);
    expect((await world.run(['config', 'set', 'read_only', 'false', ...shop])).exit).toBe(0);
    expect((await world.run([...group, ...shop])).exit).toBe(0);
  });
});
