import type { InForce, ResolvedSettings } from '../actions/settings.ts';
import type { Settings, StoredProfile } from '../platform/settings.ts';
import type { Context } from './context.ts';
import { type OutputFormat, outputFormats } from './document.ts';
import { type GivenGlobals, isOn } from './globals.ts';
import { ConfigurationError, UsageError } from './usage-error.ts';

export type { InForce, ResolvedSettings } from '../actions/settings.ts';

const DEFAULT_TIMEOUT_SECONDS = 30;
const DEFAULT_MAX_RETRIES = 3;

type Pick = <Value>(
  name: string,
  variable: string,
  stored: Value | undefined,
  parse: (text: string) => Value | undefined,
  expected: string,
) => InForce<Value> | undefined;

/** A flag's bad value is a usage error, an environment's or a profile's is a bad configuration. */
function picker(given: GivenGlobals, env: Context['env']): Pick {
  return (name, variable, stored, parse, expected) => {
    const flag = given[name];
    if (typeof flag === 'string') {
      const value = parse(flag);
      if (value === undefined) throw new UsageError(`--${name} must be ${expected}`);
      return { value, origin: 'flag' };
    }
    const text = env[variable];
    if (text !== undefined && text !== '') {
      const value = parse(text);
      if (value === undefined) throw new ConfigurationError(`${variable} must be ${expected}`);
      return { value, origin: 'environment' };
    }
    return stored === undefined ? undefined : { value: stored, origin: 'profile' };
  };
}

function switched(given: GivenGlobals, name: string, env: string | undefined, stored?: boolean): InForce<boolean> {
  if (given[name] === true) return { value: true, origin: 'flag' };
  if (env !== undefined && env !== '') return { value: isOn(env), origin: 'environment' };
  if (stored !== undefined) return { value: stored, origin: 'profile' };
  return { value: false, origin: 'default' };
}

const text = (value: string) => (value === '' ? undefined : value);
const kind = (value: string) => (value === 'partner' || value === 'shop' ? value : undefined);

/** The name of a format, or undefined for any other text. */
export function outputFormat(value: string | undefined): OutputFormat | undefined {
  return outputFormats.find((format) => format === value);
}

function seconds(value: string): number | undefined {
  const parsed = Number(value);
  return /^\d+(\.\d+)?$/.test(value) && parsed > 0 && parsed <= 86_400 ? Math.round(parsed * 1000) : undefined;
}

function count(value: string): number | undefined {
  return /^\d{1,3}$/.test(value) ? Number(value) : undefined;
}

function profileOf(settings: Settings, name: InForce<string> | undefined): StoredProfile | undefined {
  if (name === undefined) return undefined;
  const profile = Object.hasOwn(settings.profiles, name.value) ? settings.profiles[name.value] : undefined;
  if (profile === undefined && name.origin !== 'profile') {
    const names = Object.keys(settings.profiles);
    throw new ConfigurationError(
      `there is no profile ${JSON.stringify(name.value)}`,
      names.length > 0 ? `the profiles are: ${names.join(', ')}` : 'make one with `shopctl profiles add NAME`',
    );
  }
  return profile;
}

/** Removes what a base url may end in, so that a path can follow it. */
function trimSlashes(value: string): string {
  return value.replace(/\/+$/, '');
}

/** What is in force for one command. Throws a UsageError or a ConfigurationError that names the setting. */
export function resolveSettings(settings: Settings, given: GivenGlobals, env: Context['env']): ResolvedSettings {
  const pick = picker(given, env);
  const profileName = pick('profile', 'SHOPCTL_PROFILE', settings.current_profile, text, 'the name of a profile');
  const profile = profileOf(settings, profileName);
  const output =
    given.json === true && given.output === undefined
      ? ({ value: 'json', origin: 'flag' } as const)
      : pick(
          'output',
          'SHOPCTL_OUTPUT',
          outputFormat(profile?.output),
          outputFormat,
          `one of ${outputFormats.join(', ')}`,
        );
  if (given.json === true && output !== undefined && output.value !== 'json') {
    throw new UsageError('--json and --output name different formats');
  }
  const baseUrl = pick('base-url', 'SHOPCTL_BASE_URL', profile?.base_url, text, 'an http or https url');
  return {
    profileName,
    profile,
    baseUrl: baseUrl && { ...baseUrl, value: trimSlashes(baseUrl.value) },
    as: pick('as', 'SHOPCTL_AS', profile?.kind, kind, 'partner or shop'),
    shop: pick('shop', 'SHOPCTL_SHOP', profile?.current_shop, text, 'the id of a shop'),
    output: output ?? { value: 'table', origin: 'default' },
    timeoutMs: pick('timeout', 'SHOPCTL_TIMEOUT', undefined, seconds, 'a number of seconds') ?? {
      value: DEFAULT_TIMEOUT_SECONDS * 1000,
      origin: 'default',
    },
    maxRetries: pick('max-retries', 'SHOPCTL_MAX_RETRIES', undefined, count, 'a whole number') ?? {
      value: DEFAULT_MAX_RETRIES,
      origin: 'default',
    },
    readOnly: switched(given, 'read-only', env.SHOPCTL_READ_ONLY, profile?.read_only),
    noInput: switched(given, 'no-input', env.SHOPCTL_NO_INPUT),
    debug: switched(given, 'debug', env.SHOPCTL_DEBUG),
  };
}
