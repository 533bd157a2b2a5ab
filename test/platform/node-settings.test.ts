import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findJsonFault } from '../../src/domain/json/json-fault.ts';
import { acquireLock } from '../../src/platform/files/file-lock.ts';
import { type SettingsFileOptions, settingsIn } from '../../src/platform/settings/node-settings.ts';
import { type Settings, SettingsError, type StoredProfile } from '../../src/platform/settings/settings.ts';

const key = 'sk_live_0123456789abcdef';
const profile: StoredProfile = { kind: 'partner', base_url: 'https://api.example.com', api_key: key };

let scratch: string;
let directory: string;
let path: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'shopctl-settings-'));
  directory = join(scratch, 'config', 'shopctl');
  path = join(directory, 'config.json');
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const store = (options: SettingsFileOptions = {}) => settingsIn(directory, { findFault: findJsonFault, ...options });
const modeOf = (name: string) => lstatSync(name).mode & 0o777;
const saveProfile = (name: string) => (settings: Settings) => ({
  ...settings,
  profiles: { ...settings.profiles, [name]: profile },
});

function put(content: unknown): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(path, text, { mode: 0o600 });
  return text;
}

async function refusal(work: Promise<unknown>): Promise<SettingsError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SettingsError);
  return error as SettingsError;
}

describe('settings that nobody saved yet', () => {
  it('are empty, and reading them creates nothing', async () => {
    expect(await store().read()).toEqual({ version: 1, profiles: {} });
    expect(existsSync(directory)).toBe(false);
    mkdirSync(directory, { recursive: true });
    expect(await store().read()).toEqual({ version: 1, profiles: {} });
  });

  it('are saved in a private file in a private directory, with nothing beside it', async () => {
    await store().update(saveProfile('main'));
    expect([modeOf(path), modeOf(directory), modeOf(join(scratch, 'config'))]).toEqual([0o600, 0o700, 0o700]);
    expect(readdirSync(directory)).toEqual(['config.json']);
    expect(await store().read()).toEqual({ version: 1, profiles: { main: profile } });
  });
});

describe('a change of the settings', () => {
  it('answers what was saved', async () => {
    const saved = await store().update(saveProfile('main'));
    expect(saved).toEqual(await store().read());
  });

  it('is made on what another one left', async () => {
    const names = Array.from({ length: 12 }, (_, number) => `p${number}`);
    await Promise.all(names.map((name) => store().update(saveProfile(name))));
    expect(Object.keys((await store().read()).profiles).sort()).toEqual([...names].sort());
  });

  it('writes nothing when it gives back what it got', async () => {
    await store().update((settings) => settings);
    expect(existsSync(path)).toBe(false);
  });

  it('writes nothing and frees the lock when it throws', async () => {
    const text = put({ version: 1, profiles: {} });
    const failing = store().update(() => {
      throw new RangeError('no such profile');
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(readFileSync(path, 'utf8')).toBe(text);
    await store().update(saveProfile('after'));
  });

  it('keeps every field that it does not know', async () => {
    put({
      version: 1,
      theme: { dark: true },
      profiles: {
        main: {
          ...profile,
          region: 'south',
          shops: { '1': { shop_key: 'k1', colour: 'red' }, '2': { shop_key: 'k2' } },
        },
      },
    });
    // Written as if this were all that there is, with no field spread from what was there.
    await store().update(() => ({
      version: 1,
      current_profile: 'main',
      profiles: { main: { ...profile, shops: { '1': { shop_key: 'new' } } } },
    }));
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      version: 1,
      theme: { dark: true },
      current_profile: 'main',
      profiles: { main: { ...profile, region: 'south', shops: { '1': { shop_key: 'new', colour: 'red' } } } },
    });
  });

  it('takes no unknown field along to another service, since it could be a key', async () => {
    put({ version: 1, profiles: { main: { ...profile, refresh_token: 'secret' } } });
    const moved: StoredProfile = { ...profile, base_url: 'https://other.example.com' };
    await store().update(() => ({ version: 1, profiles: { main: moved } }));
    expect((await store().read()).profiles.main).toEqual(moved);
  });

  it('drops a field that was set to undefined', async () => {
    put({ version: 1, current_profile: 'main', profiles: { main: profile } });
    await store().update(({ current_profile: _gone, ...rest }) => rest);
    expect(Object.keys(await store().read())).toEqual(['version', 'profiles']);
  });

  it('leaves no signal listener in the process', async () => {
    const before = process.eventNames().filter((name) => String(name).startsWith('SIG'));
    await store().update(saveProfile('main'));
    expect(process.eventNames().filter((name) => String(name).startsWith('SIG'))).toEqual(before);
  });

  it('is not confused by SNAP, which makes conf overwrite in place', async () => {
    process.env.SNAP = '/snap/x';
    try {
      put({ version: 1, profiles: {} });
      const before = statSync(path).ino;
      await store().update(saveProfile('main'));
      expect(statSync(path).ino).not.toBe(before);
    } finally {
      delete process.env.SNAP;
    }
  });

  it('clears away what killed processes left, and only that', async () => {
    put({ version: 1, profiles: {} });
    for (const name of [
      'config.json.draft-0123',
      'config.json.draft-0123.tmp-1234567890abcdef',
      'config.json.corrupt-1',
      'notes.txt',
    ]) {
      writeFileSync(join(directory, name), '');
    }
    await store().update(saveProfile('main'));
    expect(readdirSync(directory).sort()).toEqual(['config.json', 'config.json.corrupt-1', 'notes.txt']);
  });

  it('says who holds the lock when it does not become free', async () => {
    put({ version: 1, profiles: {} });
    const lock = await acquireLock(`${path}.lock`);
    const error = await refusal(store({ lockTimeoutMs: 50 }).update(saveProfile('late')));
    expect(error.message).toContain(`process ${process.pid} holds the lock ${path}.lock`);
    lock.release();
    await store({ lockTimeoutMs: 50 }).update(saveProfile('late'));
  });

  it('does not publish when its lock was taken away', async () => {
    const text = put({ version: 1, profiles: {} });
    const work = store().update((settings) => {
      rmSync(`${path}.lock`);
      return saveProfile('main')(settings);
    });
    expect((await refusal(work)).message).toContain('was removed while it was held');
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(readdirSync(directory)).toEqual(['config.json']);
  });
});

describe('profile names', () => {
  it('may be those of Object’s own properties, and change no prototype', async () => {
    await store().update(saveProfile('__proto__'));
    await store().update(saveProfile('constructor'));
    const { profiles } = await store().read();
    expect(Object.keys(profiles)).toEqual(['__proto__', 'constructor']);
    expect(profiles.constructor).toEqual(profile);
    expect(({} as Record<string, unknown>).api_key).toBeUndefined();
  });

  it('are not there unless they were saved', async () => {
    put({ version: 1, profiles: { main: { ...profile, shops: {} } } });
    const { profiles } = await store().read();
    for (const name of ['constructor', 'toString', '__proto__']) {
      expect(profiles[name]).toBeUndefined();
      expect(profiles.main?.shops?.[name]).toBeUndefined();
    }
    expect((await settingsIn(join(scratch, 'nothing')).read()).profiles.toString).toBeUndefined();
  });
});

describe('a damaged file', () => {
  it('is refused with its name and the place, never with its text', async () => {
    put(`{\n  "version": 1,\n  "profiles": { "main": { "api_key": "${key}" "kind": 1 } }\n}`);
    const error = await refusal(store().read());
    expect(error.message).toContain(path);
    expect(error.message).toContain('at line 3, column 65');
    expect(`${error.message} ${error.hint} ${String(error.cause)} ${error.stack}`).not.toContain(key);
    expect(error.cause).toBeUndefined();
  });

  it.each([
    ['an empty file', '', /damaged/],
    ['a list', '[]', /must be an object/],
    ['no version', { profiles: {} }, /version must be/],
    ['no profiles', { version: 1 }, /profiles must be an object/],
    [
      'a profile of no kind',
      { version: 1, profiles: { a: { base_url: 'x' } } },
      /profiles\.a\.kind must be "partner" or "shop"/,
    ],
    [
      'a key that is not a text',
      { version: 1, profiles: { a: { ...profile, api_key: 5 } } },
      /profiles\.a\.api_key must be a text/,
    ],
    [
      'a shop without key',
      { version: 1, profiles: { a: { ...profile, shops: { '9': {} } } } },
      /profiles\.a\.shops\.9\.shop_key must be/,
    ],
    ['a name that steers', { version: 1, profiles: { '\u001b[2J': 1 } }, /profiles\.\\x1b\[2J must be an object/],
    [
      'read_only as text',
      { version: 1, profiles: { a: { ...profile, read_only: 'yes' } } },
      /read_only must be true or false/,
    ],
  ])('is refused: %s', async (_name, content, message) => {
    put(content);
    expect((await refusal(store().read())).message).toMatch(message);
  });

  it('is refused when it is not UTF-8', async () => {
    put('{}');
    writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d]));
    expect((await refusal(store().read())).message).toContain('byte 2 is not UTF-8');
  });

  it('is never written over by a change', async () => {
    const text = put('{"version": 1,');
    await refusal(store().update(saveProfile('main')));
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(readdirSync(directory)).toEqual(['config.json']);
  });

  it('is kept when the settings are reset, each time under a new name', async () => {
    put('first');
    expect(await store().reset()).toBe(`${path}.corrupt-1`);
    expect(await store().read()).toEqual({ version: 1, profiles: {} });
    put('second');
    expect(await store().reset()).toBe(`${path}.corrupt-2`);
    expect(readFileSync(`${path}.corrupt-1`, 'utf8')).toBe('first');
    expect(readFileSync(`${path}.corrupt-2`, 'utf8')).toBe('second');
    expect(modeOf(`${path}.corrupt-2`)).toBe(0o600);
  });

  it('is not kept when it was not damaged at all', async () => {
    await store().update(saveProfile('main'));
    expect(await store().reset()).toBeUndefined();
    expect(await store().read()).toEqual({ version: 1, profiles: {} });
    expect(readdirSync(directory)).toEqual(['config.json']);
  });

  it('may begin with a byte-order mark', async () => {
    put('\ufeff{"version":1,"profiles":{}}');
    expect(await store().read()).toEqual({ version: 1, profiles: {} });
  });
});

describe('versions of the file', () => {
  const migrations = [
    ({ accounts, ...rest }: Readonly<Record<string, unknown>>) => ({ ...rest, version: 2, profiles: accounts }),
    (content: Readonly<Record<string, unknown>>) => ({ ...content, version: 3, migrated: true }),
  ];

  it('refuses one of a newer shopctl, for reading and for writing', async () => {
    const text = put({ version: 2, anything: 'else' });
    const error = await refusal(store().read());
    expect(error.message).toContain('written by a newer shopctl');
    expect(error.hint).toContain('newer');
    await refusal(store().update(saveProfile('main')));
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('reads an older one as the newest, and saves it so with the next change', async () => {
    const text = put({ version: 1, accounts: { main: profile } });
    const settings = await store({ migrations }).read();
    expect(settings).toEqual({ version: 3, migrated: true, profiles: { main: profile } });
    expect(readFileSync(path, 'utf8')).toBe(text);
    await store({ migrations }).update((before) => ({ ...before, current_profile: 'main' }));
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      version: 3,
      migrated: true,
      current_profile: 'main',
    });
    expect(await store({ migrations }).read()).toMatchObject({ version: 3 });
  });

  it('starts with the migration that the version needs', async () => {
    put({ version: 2, profiles: { main: profile } });
    expect(await store({ migrations }).read()).toMatchObject({ version: 3, migrated: true });
  });
});

describe('a file that may not be trusted', () => {
  it('is refused when it is a link', async () => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(join(scratch, 'elsewhere'), '{"version":1,"profiles":{}}');
    symlinkSync(join(scratch, 'elsewhere'), path);
    const { read, update, reset, mend } = store();
    for (const work of [read, () => update(saveProfile('main')), reset, mend]) {
      expect((await refusal(work())).message).toContain('symbolic link');
    }
    expect(readFileSync(join(scratch, 'elsewhere'), 'utf8')).toBe('{"version":1,"profiles":{}}');
  });

  it('is refused when its directory is a link, also with a slash behind its name', async () => {
    mkdirSync(join(scratch, 'real'), { mode: 0o700 });
    symlinkSync('real', join(scratch, 'linked'));
    for (const name of ['linked', 'linked/', 'linked/.']) {
      const linked = settingsIn(`${scratch}/${name}`);
      expect((await refusal(linked.read())).message).toContain('symbolic link');
      expect((await refusal(linked.update(saveProfile('main')))).message).toContain('symbolic link');
    }
    expect(readdirSync(join(scratch, 'real'))).toEqual([]);
  });

  it('is refused when it is a directory or a pipe', async () => {
    mkdirSync(path, { recursive: true });
    expect((await refusal(store().read())).message).toContain('not a regular file');
  });

  it('is refused when its directory is a file', async () => {
    mkdirSync(join(scratch, 'config'));
    writeFileSync(directory, '');
    expect((await refusal(store().read())).message).toContain('not a directory');
  });

  // Only root can give a file away.
  it.runIf(process.getuid?.() === 0)('is refused when it, or its directory, belongs to another user', async () => {
    put({ version: 1, profiles: {} });
    chownSync(path, 4242, 4242);
    expect((await refusal(store().read())).message).toContain('belongs to another user (4242;');
    await refusal(store().update(saveProfile('main')));
    await refusal(store().reset());
    expect(statSync(path).uid).toBe(4242);
    chownSync(path, 0, 0);
    chownSync(directory, 4242, 4242);
    expect((await refusal(store().read())).message).toContain('belongs to another user');
  });
});

describe.skipIf(process.platform === 'win32')('permissions', () => {
  it('that are loose are reported, and not changed by reading', async () => {
    put({ version: 1, profiles: {} });
    expect(await store().warnings()).toEqual([]);
    chmodSync(path, 0o644);
    chmodSync(directory, 0o755);
    await store().read();
    expect(await store().warnings()).toEqual([
      `${directory} is open to other users (mode 0755)`,
      `${path} is open to other users (mode 0644)`,
    ]);
  });

  it.each([0o640, 0o620, 0o610, 0o604, 0o602, 0o601])('are loose with any right of another user: %o', async (mode) => {
    put({ version: 1, profiles: {} });
    chmodSync(path, mode);
    expect(await store().warnings()).toEqual([`${path} is open to other users (mode 0${mode.toString(8)})`]);
    chmodSync(path, 0o400);
    chmodSync(directory, 0o100 | mode);
    expect(await store().warnings()).toEqual([
      `${directory} is open to other users (mode 0${(0o100 | mode).toString(8)})`,
    ]);
  });

  it('are mended when that is asked for', async () => {
    put({ version: 1, profiles: {} });
    chmodSync(path, 0o666);
    chmodSync(directory, 0o777);
    await store().mend();
    expect([modeOf(path), modeOf(directory), await store().warnings()]).toEqual([0o600, 0o700, []]);
  });

  it('need no mending where there is nothing', async () => {
    await store().mend();
    expect(existsSync(directory)).toBe(false);
  });
});
