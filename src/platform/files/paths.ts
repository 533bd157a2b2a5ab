import { posix, win32 } from 'node:path';
import { SettingsError } from '../settings/settings.ts';

/** shopctl's own directories; they may not exist yet. */
export interface Places {
  /** Settings and keys. */
  readonly config: string;
  /** Runtime state: the record of running sandboxes, unfinished runs. */
  readonly state: string;
  /** Data that can be deleted at any time. */
  readonly cache: string;
}

/**
 * The directories for an environment, a home directory and a platform. SHOPCTL_CONFIG_DIR alone determines all three
 * (`state` and `cache` are inside it), so that one variable isolates a test, a container or `sandbox exec`; otherwise
 * the XDG base directories, on Windows %APPDATA% and %LOCALAPPDATA%. A relative XDG value is ignored, as its
 * specification requires. Throws a SettingsError if no absolute path is known: another directory would mean other keys.
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
  /** The variable's directory if it is absolute, otherwise the default inside the home directory. */
  const base = (variable: string, ...fallback: string[]) => {
    const value = env[variable];
    if (value && isAbsolute(value)) return join(value, 'shopctl');
    if (!isAbsolute(home)) {
      throw new SettingsError('', 'no home directory was found for the settings', 'set SHOPCTL_CONFIG_DIR');
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
