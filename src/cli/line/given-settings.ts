import type { Settings } from '../../platform/settings/settings.ts';
import { allSettings, type GivenSettings, type ResolvedSettings, resolveSettings } from '../../settings/in-force.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../errors/usage-error.ts';
import { type GivenGlobals, known } from './globals.ts';

/** The settings given as flags. */
function givenSettings(globals: GivenGlobals): GivenSettings {
  const given = allSettings.flatMap(([key, { flag }]) => {
    const value = flag === undefined ? undefined : globals[flag.name];
    return value === undefined ? [] : [[key, value]];
  });
  if (globals.json === true) {
    if (globals.output !== undefined && globals.output !== 'json') {
      throw new UsageError('--json and --output name different formats');
    }
    given.push(['output', 'json']);
  }
  return Object.fromEntries(given);
}

/** The current settings for one command. Throws a Refusal that names the setting. */
export function settingsInForce(stored: Settings, globals: GivenGlobals, env: Context['env']): ResolvedSettings {
  return resolveSettings({ stored, given: givenSettings(globals), env, known });
}
