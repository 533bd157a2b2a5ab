import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Launch, nodeBrowser } from '../../src/platform/process/node-browser.ts';

const url = 'http://127.0.0.1:4010/sign-in?state=a&b=1';

/** Opens the address with programs of which only the named ones work, and tells which were tried. */
async function attempt(
  env: Record<string, string>,
  platform: string,
  address = url,
  working = ['xdg-open', 'open', 'rundll32', 'ff'],
) {
  const tried: string[][] = [];
  const launch: Launch = async (program, parameters) => {
    tried.push([program, ...parameters]);
    return working.includes(program);
  };
  const { opened } = await nodeBrowser(env, platform, launch).open(address);
  return { opened, tried };
}

describe('opening a page', () => {
  it('uses the platform’s way', async () => {
    expect(await attempt({ DISPLAY: ':0' }, 'linux')).toEqual({ opened: true, tried: [['xdg-open', url]] });
    expect(await attempt({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toMatchObject({ opened: true });
    expect(await attempt({}, 'darwin')).toEqual({ opened: true, tried: [['open', url]] });
    expect(await attempt({}, 'win32')).toEqual({
      opened: true,
      tried: [['rundll32', 'url.dll,FileProtocolHandler', url]],
    });
  });

  it('starts nothing on a machine without a screen, unless BROWSER says what', async () => {
    expect(await attempt({}, 'linux')).toEqual({ opened: false, tried: [] });
    expect(await attempt({ BROWSER: 'ff' }, 'linux')).toEqual({ opened: true, tried: [['ff', url]] });
  });

  it('tries the commands of BROWSER in their order, and nothing else', async () => {
    const env = { BROWSER: 'missing:ff --new-tab "%s" \'a b\':never', DISPLAY: ':0' };
    expect(await attempt(env, 'linux')).toEqual({
      opened: true,
      tried: [
        ['missing', url],
        ['ff', '--new-tab', url, 'a b'],
      ],
    });
    expect(await attempt({ BROWSER: 'missing', DISPLAY: ':0' }, 'linux')).toMatchObject({ opened: false });
    expect((await attempt({ BROWSER: '"C:\\Program Files\\ff.exe" -x' }, 'win32')).tried).toEqual([
      ['C:\\Program Files\\ff.exe', '-x', url],
    ]);
  });

  it.each(['file:///etc/passwd', 'javascript:alert(1)', '--help', 'shopctl', '', 'ms-settings:x'])(
    'refuses %j',
    async (address) => {
      expect(await attempt({ DISPLAY: ':0' }, 'linux', address)).toEqual({ opened: false, tried: [] });
    },
  );

  it('hands a program no quote, space or line feed of the address', async () => {
    const { tried } = await attempt({ DISPLAY: ':0' }, 'linux', 'http://127.0.0.1/?a="x y"\n$(z)');
    expect(tried[0]?.[1]).toMatch(/^[!#-~]+$/);
  });
});

describe('a started program', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'shopctl-browser-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const program = (name: string, script: string) => {
    writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(directory, name), 0o755);
    return join(directory, name);
  };

  it('gets the address and no key', async () => {
    const fails = program('fails', 'exit 3');
    const works = program('works', `echo "$1 \${SHOPCTL_API_KEY:-none}" > ${directory}/seen`);
    const env = {
      PATH: process.env.PATH,
      BROWSER: `${directory}/missing:${fails}:${works}`,
      SHOPCTL_API_KEY: 'secret',
    };
    expect(await nodeBrowser(env, 'linux').open(url)).toEqual({ opened: true });
    expect(readFileSync(join(directory, 'seen'), 'utf8')).toBe(`${url} none\n`);
  });

  it('that goes on running is the browser', async () => {
    const runs = program('runs', 'exec sleep 2');
    expect(await nodeBrowser({ PATH: process.env.PATH, BROWSER: runs }, 'linux').open(url)).toEqual({ opened: true });
  });
});
