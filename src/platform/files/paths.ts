import { join, posix, win32 } from 'node:path';
import { SettingsError } from '../settings/settings.ts';
import { say } from '../terminal/texts.ts';

/** shopctl's own directories; they may not exist yet. */
export interface Places {
  /** Settings and keys. */
  readonly config: string;
  /** Runtime state: the record of running sandboxes, unfinished runs. */
  readonly state: string;
  /** Where the state is unless SHOPCTL_STATE_DIR says otherwise: a workspace may be left there. */
  readonly usualState: string;
  /** Data that can be deleted at any time. */
  readonly cache: string;
}

/** Where consoles keep how they are found, and the files that their pages send. */
export const consolesIn = ({ state }: Pick<Places, 'state'>) => join(state, 'consoles');

/**
 * The directories for an environment, a home directory and a platform. The state is where SHOPCTL_STATE_DIR or
 * XDG_STATE_HOME says; otherwise SHOPCTL_CONFIG_DIR determines all three (`state` and `cache` are inside it); otherwise
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
  const given = (variable: string) => {
    const value = env[variable];
    if (value && !isAbsolute(value)) throw new SettingsError(value, say().settings.notAbsolute({ variable }));
    return value || undefined;
  };
  const chosen = given('SHOPCTL_CONFIG_DIR');
  const xdg = env.XDG_STATE_HOME && isAbsolute(env.XDG_STATE_HOME) ? join(env.XDG_STATE_HOME, 'shopctl') : undefined;
  const stated = given('SHOPCTL_STATE_DIR') ?? xdg;
  if (chosen) {
    const usualState = join(chosen, 'state');
    return { config: join(chosen, '.'), state: stated ?? usualState, usualState, cache: join(chosen, 'cache') };
  }
  /** The variable's directory if it is absolute, otherwise the default inside the home directory. */
  const base = (variable: string, ...fallback: string[]) => {
    const value = env[variable];
    if (value && isAbsolute(value)) return join(value, 'shopctl');
    if (!isAbsolute(home)) {
      throw new SettingsError('', say().settings.noHome, say().settings.setDirectory);
    }
    return join(home, ...fallback, 'shopctl');
  };
  if (platform === 'win32') {
    const local = base('LOCALAPPDATA', 'AppData', 'Local');
    return {
      config: base('APPDATA', 'AppData', 'Roaming'),
      state: stated ?? join(local, 'state'),
      usualState: join(local, 'state'),
      cache: join(local, 'cache'),
    };
  }
  // Where there is no home, nothing was ever left in it.
  const usualState = stated !== undefined && !isAbsolute(home) ? stated : base('XDG_STATE_HOME', '.local', 'state');
  return {
    config: base('XDG_CONFIG_HOME', '.config'),
    state: stated ?? usualState,
    usualState,
    cache: base('XDG_CACHE_HOME', '.cache'),
  };
}
