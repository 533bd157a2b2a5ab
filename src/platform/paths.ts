import { posix, win32 } from 'node:path';
import { SettingsError } from './settings.ts';

/** The directories that are shopctl's own; none of them need exist. */
export interface Places {
  /** Settings and keys. */
  readonly config: string;
  /** What runs now and what happened: the record of running sandboxes, unfinished runs. */
  readonly state: string;
  /** What may be thrown away. */
  readonly cache: string;
}

/**
 * The places for an environment, a home directory and a platform. SHOPCTL_CONFIG_DIR alone decides all three (`state`
 * and `cache` lie in it), so that one variable gives a test, a container or `sandbox exec` a world of its own; else the
 * XDG base directories, on Windows %APPDATA% and %LOCALAPPDATA%. A relative XDG value is ignored, as its specification
 * demands. Throws a SettingsError when nothing tells an absolute path: another directory would mean other keys.
 */
export function placesOf({
  env,
  home,
  platform,
}: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform: string;
}): Places {
  const { isAbsolute, join } = platform === 'win32' ? win32 : posix;
  const chosen = env.SHOPCTL_CONFIG_DIR;
  if (chosen) {
    if (!isAbsolute(chosen)) throw new SettingsError(chosen, 'SHOPCTL_CONFIG_DIR must be an absolute path');
    return { config: join(chosen, '.'), state: join(chosen, 'state'), cache: join(chosen, 'cache') };
  }
  /** The variable's own directory when it is absolute, else the default inside the home directory. */
  const base = (variable: string, ...fallback: string[]) => {
    const value = env[variable];
    if (value && isAbsolute(value)) return join(value, 'shopctl');
    if (!isAbsolute(home)) {
      throw new SettingsError('', 'there is no home directory to keep settings in', 'set SHOPCTL_CONFIG_DIR');
    }
    return join(home, ...fallback, 'shopctl');
  };
  if (platform === 'win32') {
    const local = base('LOCALAPPDATA', 'AppData', 'Local');
    return { config: base('APPDATA', 'AppData', 'Roaming'), state: join(local, 'state'), cache: join(local, 'cache') };
  }
  return {
    config: base('XDG_CONFIG_HOME', '.config'),
    state: base('XDG_STATE_HOME', '.local', 'state'),
    cache: base('XDG_CACHE_HOME', '.cache'),
  };
}
