import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sandboxName } from '../../src/contract/control/names.ts';
import {
  findState,
  listStates,
  removeState,
  type SandboxState,
  writeState,
} from '../../src/sandbox/lab/running-sandboxes.ts';

async function stateDirectory() {
  const parent = await mkdtemp(join(tmpdir(), 'shopctl-state-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  return join(parent, 'sandboxes');
}

const state = (name: string, pid: number, started_at = '2026-01-31T08:00:00Z'): SandboxState => ({
  name,
  pid,
  base_url: 'http://127.0.0.1:4010',
  control_url: 'http://127.0.0.1:4010/_sandbox',
  control_token: `token of ${pid}`,
  data: null,
  started_at,
});

const running = (pid: number) => pid < 100;

it('writes a state for its owner alone, and reads it back', async () => {
  const directory = await stateDirectory();
  await writeState(directory, state('default', 1));
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
  expect((await stat(join(directory, 'default.json'))).mode & 0o777).toBe(0o600);
  expect(await readdir(directory)).toEqual(['default.json']);
  expect(await findState(directory, running)).toEqual(state('default', 1));
});

it('finds the newest that runs, or one by its name, and knows the stale ones', async () => {
  const directory = await stateDirectory();
  await writeState(directory, state('old', 1, '2026-01-01T00:00:00Z'));
  await writeState(directory, state('new', 2, '2026-01-02T00:00:00Z'));
  await writeState(directory, state('dead', 100, '2026-01-03T00:00:00Z'));
  expect((await listStates(directory, running)).map(({ state: { name }, stale }) => [name, stale])).toEqual([
    ['dead', true],
    ['new', false],
    ['old', false],
  ]);
  expect((await findState(directory, running))?.name).toBe('new');
  expect((await findState(directory, running, 'old'))?.name).toBe('old');
  expect(await findState(directory, running, 'dead')).toBeUndefined();
  expect(await findState(directory, running, 'other')).toBeUndefined();
});

it('finds nothing where there is not a directory, and passes over what is not a state', async () => {
  const directory = await stateDirectory();
  expect(await listStates(directory, running)).toEqual([]);
  await writeState(directory, state('a', 1));
  await writeFile(join(directory, 'half.json'), '{"name":');
  await writeFile(join(directory, 'other.json'), '{"name":"../x"}');
  await writeFile(join(directory, 'a.json.tmp'), 'x');
  expect((await listStates(directory, running)).map(({ state: { name } }) => name)).toEqual(['a']);
});

it('removes only the state of the same run', async () => {
  const directory = await stateDirectory();
  await writeState(directory, state('a', 1));
  await writeState(directory, state('a', 2));
  await removeState(directory, state('a', 1));
  expect((await findState(directory, running, 'a'))?.pid).toBe(2);
  await removeState(directory, state('a', 2));
  await removeState(directory, state('a', 2));
  expect(await readdir(directory)).toEqual([]);
});

it('takes no name that could lead elsewhere', async () => {
  const directory = await stateDirectory();
  for (const name of ['', '..', '../x', 'a/b', '.hidden', 'a b', 'x'.repeat(65)]) {
    expect(sandboxName.test(name)).toBe(false);
    await expect(writeState(directory, { ...state('a', 1), name })).rejects.toThrow(RangeError);
  }
  expect(sandboxName.test('my-sandbox_1.0')).toBe(true);
});
