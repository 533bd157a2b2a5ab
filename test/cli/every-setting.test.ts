import { describe, expect, it } from 'vitest';
import { topicText } from '../../src/cli/help/topics.ts';
import { known } from '../../src/cli/line/globals.ts';
import { allSettings } from '../../src/settings/in-force.ts';
import type { Setting } from '../../src/settings/setting.ts';
import { testMachine } from '../support/context.ts';

const nobody = () => {
  throw new Error('nothing is to be sent');
};

/** A value that the setting takes and that is not in force by itself. */
function sampleOf({ name, type }: Setting): string {
  if (name === 'profile') return 'second';
  return type.read(type.example, known) === undefined ? '' : type.example;
}

const profile = { kind: 'shop', base_url: 'https://shop.example' } as const;

function machine() {
  const made = testMachine(nobody);
  const save = () =>
    made.save({ version: 1, current_profile: 'first', profiles: { first: profile, second: { ...profile } } });
  return { ...made, save };
}

interface Row {
  readonly value: string | null;
  readonly origin: string;
}

describe.each(allSettings.map(([key, setting]) => [setting.name, key, setting] as const))(
  '%s',
  (name, _key, setting) => {
    const sample = sampleOf(setting);

    it('has a value to be tried with, which is not in force by itself', async () => {
      const { run, save } = machine();
      await save();
      const found: Row = JSON.parse((await run(['config', 'get', name, '--json'])).stdout);
      expect(sample).not.toBe('');
      expect(found.value).not.toBe(sample);
    });

    it('is in force by its flag and by its variable, and says so', async () => {
      const { run, save } = machine();
      await save();
      const asked = async (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Row> => {
        const { stdout, stderr } = await run(['config', 'list', '--show-origin', '-o', 'json', ...words], { env });
        expect(stderr).toBe('');
        return JSON.parse(stdout).find((row: { name: string }) => row.name === name);
      };
      const { flag, variable, type } = setting;
      // The format of what is asked for cannot be another one at the same time.
      if (name === 'output') return expect(await asked([])).toMatchObject({ value: 'json', origin: 'flag' });
      if (flag !== undefined) {
        const words = type.isSwitch === true ? [`--${flag.name}`] : [`--${flag.name}`, sample];
        expect(await asked(words)).toMatchObject({ value: sample, origin: 'flag' });
      }
      if (variable !== undefined) {
        expect(await asked([], { [variable]: sample })).toMatchObject({ value: sample, origin: 'environment' });
        expect(topicText('environment', '0.0.0')).toContain(variable);
      }
      if (flag === undefined && variable === undefined) expect(setting.kept).toBeDefined();
    });

    it('is kept in the profile and taken out of it again, where a profile keeps it', async () => {
      const { run, save, settings } = machine();
      await save();
      const before = await settings();
      const set = await run(['config', 'set', name, sample]);
      if (setting.kept === undefined || setting.fixed === true) {
        return expect([set.exit, set.stderr]).toEqual([
          2,
          expect.stringContaining(`a profile does not keep ${name}\nhint: `),
        ]);
      }
      expect([set.exit, set.stderr]).toEqual([0, '']);
      expect(await settings()).not.toEqual(before);
      const env = { SHOPCTL_OUTPUT: '' };
      const { stdout } = await run(['config', 'list', '--show-origin', ...(name === 'output' ? [] : ['--json'])], {
        env,
      });
      expect(stdout).toContain(sample);
      if (name !== 'output') {
        const rows: ({ name: string } & Row)[] = JSON.parse(stdout);
        expect(rows.find((row) => row.name === name)).toMatchObject({
          value: sample,
          origin: setting.isPersonal === true ? 'settings' : 'profile',
        });
      }
      const unset = await run(['config', 'unset', name]);
      if (setting.required === true) return expect(unset.exit).toBe(2);
      expect([unset.exit, unset.stderr]).toEqual([0, '']);
      expect(await settings()).toEqual(before);
    });
  },
);

it('takes a workspace with a password from the environment alone, and never shows the password', async () => {
  const { run, save, settings } = machine();
  await save();
  const before = await settings();
  for (const url of ['postgres://shop:hunter2@db.example/w', 'postgres://shop@db.example/w?password=hunter2']) {
    const set = await run(['config', 'set', 'workspace', url]);
    expect([set.exit, set.stdout]).toEqual([2, '']);
    expect(set.stderr).toContain('PGPASSWORD');
    const env = { SHOPCTL_WORKSPACE: url };
    const shown = await run(['config', 'get', 'workspace', '--json'], { env });
    expect(JSON.parse(shown.stdout)).toMatchObject({ value: 'postgres://shop@db.example/w', origin: 'environment' });
    expect(set.stderr + shown.stdout + shown.stderr).not.toContain('hunter2');
  }
  expect(await settings()).toEqual(before);
  const wrong = await run(['config', 'set', 'workspace', 'workspace.db']);
  expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringContaining('absolute path')]);
});

it('refuses a password that somebody wrote into the settings file, and never takes another workspace instead', async () => {
  const made = testMachine(nobody);
  const kept = { ...profile, settings: { workspace: 'postgres://shop:hunter2@127.0.0.1:1/w' } };
  await made.save({ version: 1, current_profile: 'first', profiles: { first: kept } });
  const { exit, stdout, stderr } = await made.run(['batch', 'list']);
  expect([exit, stdout]).toEqual([14, '']);
  expect(stderr).toContain('PGPASSWORD');
  expect(stderr).not.toContain('hunter2');
});

it('documents where settings and state are stored, and every outcome of an error', () => {
  const environment = topicText('environment', '0.0.0');
  for (const variable of ['SHOPCTL_CONFIG_DIR', 'XDG_CONFIG_HOME', 'SHOPCTL_STATE_DIR', 'XDG_STATE_HOME'])
    expect(environment).toContain(variable);
  const exits = topicText('exit-codes', '0.0.0');
  for (const outcome of ['not_applied', 'applied', 'partial', 'unknown']) expect(exits).toContain(outcome);
});
