import { spawn } from 'node:child_process';
import { environmentWithoutKeys } from '../settings/secret.ts';
import type { Browser } from './browser.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Starts a program with its arguments, without a shell, and returns whether it works: it exited with success, or is
 * still running.
 */
export type Launch = (program: string, parameters: readonly string[], env: Environment) => Promise<boolean>;

/**
 * The user's own browser: BROWSER if it is set (commands separated by colons, the address in place of `%s` or at the
 * end), otherwise the platform's way of opening an address; the first that works. Keys in the environment are not
 * passed on.
 */
export function nodeBrowser(env: Environment, platform: string, launch: Launch = launchDetached): Browser {
  return {
    async open(address) {
      const url = URL.canParse(address) ? new URL(address) : undefined;
      if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return { opened: false };
      const kept = Object.entries(environmentWithoutKeys(env));
      const forBrowser = Object.fromEntries(kept.filter(([name]) => !name.startsWith('SHOPCTL_')));
      for (const words of commandsOf(env, platform)) {
        // Serialised by URL: no quote, space or line feed of the address stays unescaped.
        const [program = '', ...parameters] = withAddress(words, url.href);
        if (await launch(program, parameters, forBrowser)) return { opened: true };
      }
      return { opened: false };
    },
  };
}

function commandsOf(env: Environment, platform: string): readonly (readonly string[])[] {
  if (env.BROWSER) {
    // On Windows a colon is part of a drive name.
    const commands = platform === 'win32' ? [env.BROWSER] : env.BROWSER.split(':');
    return commands.map(wordsOf).filter(([program]) => program);
  }
  if (platform === 'win32') return [['rundll32', 'url.dll,FileProtocolHandler']];
  if (platform === 'darwin') return [['open']];
  if (env.WSL_DISTRO_NAME) return [['wslview'], ['xdg-open']];
  // Without a display xdg-open would start a text browser, or wait for one.
  return env.DISPLAY || env.WAYLAND_DISPLAY ? [['xdg-open'], ['gio', 'open']] : [];
}

/** Splits a command into words at spaces outside quotes. */
function wordsOf(command: string): string[] {
  return Array.from(
    command.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g),
    ([word, double, single]) => double ?? single ?? word,
  );
}

function withAddress(words: readonly string[], address: string): string[] {
  if (!words.some((word) => word.includes('%s'))) return [...words, address];
  return words.map((word) => word.replaceAll('%s', () => address));
}

/** One second is enough for a program to fail; one that runs longer is the browser itself. */
const watchedMs = 1000;

const launchDetached: Launch = (program, parameters, env) =>
  new Promise((resolve) => {
    const child = spawn(program, parameters, { detached: true, stdio: 'ignore', env: { ...env }, windowsHide: true });
    const timer = setTimeout(() => settle(true), watchedMs);
    const settle = (works: boolean) => {
      clearTimeout(timer);
      child.unref();
      resolve(works);
    };
    child.once('error', () => settle(false));
    child.once('exit', (code) => settle(code === 0));
  });
