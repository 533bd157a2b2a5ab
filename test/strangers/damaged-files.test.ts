import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { testMachine } from '../support/context.ts';
import { standingClock } from '../support/standing-clock.ts';

const machineWithout = () =>
  testMachine(async () => {
    throw new RangeError('nothing may be sent');
  });

const levels = 200_000;
const deep = '['.repeat(levels) + ']'.repeat(levels);
const damagedSettings: Readonly<Record<string, string | Buffer>> = {
  'levels without end': `{"version":1,"profiles":{},"x":${deep}}`,
  'levels in a profile': `{"version":1,"profiles":{"a":{"kind":"shop","base_url":"https://a.example","x":${deep}}}}`,
  'arrays alone': deep,
  'levels that never close': '['.repeat(levels),
  'a cut end': '{"version":1,"profiles":{"a":{"kind":"sh',
  zeros: Buffer.alloc(1000),
  'bytes that are no text': Buffer.from([0xff, 0xfe, 0x00, 0x80]),
  'another type': '{"version":1,"profiles":[]}',
  nothing: '',
};

it.each(Object.entries(damagedSettings))(
  'settings with %s end with exit 14, and the file is left',
  async (_, content) => {
    const machine = machineWithout();
    const path = join(machine.directory, 'config.json');
    writeFileSync(path, content, { mode: 0o600 });
    for (const words of [
      ['profiles', 'list'],
      ['profiles', 'add', 'b', '--base-url', 'https://b.example', '--no-input'],
      ['customers', 'get', '1'],
    ]) {
      const { exit, stderr } = await machine.run(words);
      expect({ exit, stderr }).toMatchObject({ exit: 14 });
      expect(stderr).toMatch(/^shopctl: error: .*config\.json is damaged: /);
      expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
    }
    expect(readFileSync(path).equals(Buffer.from(content))).toBe(true);
  },
);

/** Damages of a sandbox's data, each made to a directory that was whole. */
const damages: Readonly<Record<string, (file: string) => void>> = {
  'noise in place of the database': (file) => writeFileSync(file, Buffer.alloc(20_000, 'noise')),
  'pages that were overwritten': (file) => {
    const bytes = readFileSync(file);
    bytes.fill(0x5a, 4096, bytes.length - 4096);
    writeFileSync(file, bytes);
  },
  'a file that was cut': (file) => truncateSync(file, 20_000),
  'a directory in place of the database': (file) => {
    rmSync(file);
    mkdirSync(file);
  },
};

it.each(Object.entries(damages))('a sandbox with %s ends, and says which file', async (name, damage) => {
  const data = mkdtempSync(join(tmpdir(), 'shopctl-damaged-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const whole = await openSandbox({ data, seed: 'demo', clock: standingClock() });
  await whole.close();
  const file = join(data, 'sandbox.sqlite');
  damage(file);
  cpSync(file, `${file}.copy`, { recursive: true });
  const { exit, stdout, stderr } = await machineWithout().run(['sandbox', 'start', '--port', '0', '--data', data]);
  // What is no file at all is another place than was meant: a matter of configuration.
  const expected = name === 'a directory in place of the database' ? 14 : 1;
  expect({ exit, stdout, stderr }).toMatchObject({ exit: expected, stdout: '' });
  expect(stderr).toContain(`the data of the sandbox`);
  expect(stderr).toContain(file);
  expect(stderr).toContain('hint: move the directory away to start over');
});

it('a sandbox whose directory cannot be made says so', async () => {
  const { exit, stderr } = await machineWithout().run(['sandbox', 'start', '--port', '0', '--data', '/dev/null/x']);
  expect({ exit, stderr }).toMatchObject({ exit: 14 });
  expect(stderr).toContain('cannot be opened');
});

it.each(['two words', 'line\nbreak', 'tab\there', 'é', 'a\u0000b', '\u200bkey', '“quoted”'])(
  'a key that no header can carry is not saved: %j',
  async (key) => {
    const machine = machineWithout();
    const words = ['profiles', 'add', 'a', '--base-url', 'https://a.example', '--api-key-stdin'];
    const { exit, stdout, stderr } = await machine.run(words, { stdin: `${key}\n` });
    expect(exit).toBe(2);
    expect(stdout + stderr).not.toContain(key);
    expect((await machine.settings()).profiles).toEqual({});
  },
);
