/* --dry-run of every command: nothing below config, state and data changes, and only reads are sent. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadTree } from '../../src/cli/tree/tree.ts';
import { findOperation } from '../../src/contract/areas.ts';
import { TransportError } from '../../src/platform/http/transport.ts';
import { manyOrders } from '../batch/batch-world.ts';
import { runnableWords, withWords } from '../support/example-words.ts';
import { shopWorld } from '../support/shop-world.ts';
import { steppedClock } from '../support/stepped-clock.ts';

const { commands } = await loadTree();

/** Every file below a directory with a digest of its content, but for the cache. */
function filesBelow(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    files.flatMap((file) => {
      const path = join(file.parentPath, file.name);
      if (path.includes('/cache/')) return [];
      const content = file.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'directory';
      return [[path.slice(directory.length + 1), content]];
    }),
  );
}

async function watchedWorld() {
  const sent: string[] = [];
  let away = '';
  const world = await shopWorld((transport) => (request, ...rest) => {
    sent.push(new URL(request.url).pathname.replace('/v1/', ''));
    if (away !== '' && request.url.endsWith(away))
      throw new TransportError('refused', 'no', 'the service is unreachable');
    return transport(request, ...rest);
  });
  mkdirSync(join(world.directory, 'examples'));
  for (const name of ['orders.csv', 'examples/orders.csv']) writeFileSync(join(world.directory, name), manyOrders(2));
  const leave = (name: string) => {
    away = name;
  };
  return { ...world, sent, leave };
}

/** Something of each kind that a run could change: records, an unfinished batch, an unclear write, a draft, a mirror. */
async function use({ run, service, directory }: Awaited<ReturnType<typeof watchedWorld>>) {
  const { faults } = service.sandbox.control;
  const shop = ['--profile', 'shop'];
  expect((await run(['batch', 'run', 'orders.csv', '--yes'])).exit).toBe(0);
  await faults.add({ operation: 'shop.CustomerGroup/CreateGroup', every: 1, do: 'drop-after-commit' });
  expect((await run(['groups', 'create', '--name', 'First', ...shop])).exit).toBe(10);
  writeFileSync(join(directory, 'groups.csv'), 'name\nOne\nTwo\n');
  expect((await run(['batch', 'run', 'groups.csv', '--do', 'groups create', '--yes', ...shop])).exit).toBe(10);
  await faults.clear();
  expect((await run(['mirror', 'sync', ...shop])).exit).toBe(0);
  const [unclear, batch] = JSON.parse((await run(['batch', 'list', '--json'])).stdout);
  const [{ id: write }] = JSON.parse((await run(['ledger', 'list', '--json'])).stdout);
  return { '20260131-k3f9x': batch.batch, '3f9a1c20b7': write, unclear: unclear.batch };
}

/** The paths whose content is another, or that are new or gone. */
const changed = (before: Record<string, string>, after: Record<string, string>) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((path) => before[path] !== after[path]);

describe('--dry-run of every command leaves nothing', () => {
  // One machine for all commands: what one of them left would be there for the next one alone.
  it.each(['fresh', 'used'])('on a %s machine', async (state) => {
    const world = await watchedWorld();
    const { run, directory, sent } = world;
    const names: Readonly<Record<string, string>> = state === 'used' ? await use(world) : {};
    const faults: unknown[] = [];
    let before = filesBelow(directory);
    for (const command of commands) {
      const profile = command.operations[0]?.credential === 'shop-api-key' ? ['--profile', 'shop'] : [];
      const words = withWords(runnableWords(command), ['--dry-run', '--yes', ...profile]);
      const line = words.map((word) => names[word] ?? word);
      sent.splice(0);
      const { exit } = await run(line);
      const effects = await Promise.all(sent.map(async (id) => [id, (await findOperation(id))?.effect]));
      const writes = effects.filter(([, effect]) => effect !== 'read');
      const after = filesBelow(directory);
      const left = changed(before, after);
      if (exit === 1 || writes.length > 0 || left.length > 0) faults.push({ line: line.join(' '), exit, writes, left });
      before = after;
    }
    expect(faults).toEqual([]);
    expect(commands.length).toBeGreaterThan(150);
  });
});

describe('a dry run of a batch', () => {
  it.each([
    ['run', 'batch run new.csv --pick cheapest --continue DONE', 2],
    ['run of other records', 'batch run customers.csv --do customers\\ create --profile shop', 2],
    ['resume', 'batch resume OPEN --profile shop', 2],
    ['work', 'batch work OPEN --profile shop', 2],
    ['undo', 'batch undo DONE', 2],
  ])('%s shows the rows that it would send, and ends well', async (_, line, rows) => {
    const world = await watchedWorld();
    const { run, directory, leave, sent } = world;
    writeFileSync(join(directory, 'new.csv'), manyOrders(4));
    writeFileSync(join(directory, 'customers.csv'), 'full_name,phone\nLan,0901234567\nMai,0907654321\n');
    writeFileSync(join(directory, 'groups.csv'), 'name\nOne\nTwo\n');
    expect((await run(['batch', 'run', 'orders.csv', '--yes'])).exit).toBe(0);
    leave('CreateGroup');
    const groups = [
      'batch',
      'run',
      'groups.csv',
      '--do',
      'groups create',
      '--yes',
      '--profile',
      'shop',
      '--max-outage',
      '1s',
    ];
    expect((await run(groups, { clock: steppedClock() })).exit).toBe(7);
    leave('');
    const [open, done] = JSON.parse((await run(['batch', 'list', '--json'])).stdout);
    const words = line
      .split(/(?<!\\) /)
      .map((word) => ({ OPEN: open.batch, DONE: done.batch })[word] ?? word.replace('\\', ''));
    const before = filesBelow(directory);
    sent.splice(0);
    const { exit, stdout, stderr } = await run([...words, '--dry-run']);
    expect([exit, stderr]).toEqual([0, expect.stringContaining('dry run: nothing was done')]);
    expect(JSON.parse(stdout).rows).toHaveLength(rows);
    const effects = await Promise.all(sent.map(async (id) => (await findOperation(id))?.effect));
    expect(effects.filter((effect) => effect !== 'read')).toEqual([]);
    expect(filesBelow(directory)).toEqual(before);
    // What was only looked at is done by the same command afterwards.
    expect((await run([...words, '--yes'])).exit).toBe(0);
  });

  it('with cells that are wrong ends as it does without the flag', async () => {
    const { run, directory } = await watchedWorld();
    writeFileSync(
      join(directory, 'bad.csv'),
      manyOrders(2)
        .replaceAll('Hà Nội', 'Nowhere')
        .replaceAll(/,09\d+/g, ',x'),
    );
    const [dry, real] = [
      await run(['batch', 'run', 'bad.csv', '--dry-run', '--yes']),
      await run(['batch', 'run', 'bad.csv', '--yes']),
    ];
    expect(dry.exit).toBe(2);
    const reported = (text: string) => text.split('\n').filter((line) => !line.startsWith('batch '));
    expect([dry.exit, reported(dry.stderr)]).toEqual([real.exit, reported(real.stderr)]);
  });
});
