import { type Language, languageNames } from '../../domain/language.ts';
import { isOn } from '../../settings/setting.ts';
import type { Context } from '../context.ts';
import type { Line } from '../line/line.ts';
import { type Format, formatOf } from '../print/formats.ts';
import type { Session } from './session.ts';

/** The locale that a terminal's programs are asked to use; C and POSIX are English. */
const localeOf = ({ LC_ALL, LC_MESSAGES, LANG }: Context['env']): string => LC_ALL || LC_MESSAGES || LANG || '';

/** Whether the machine of whoever reads stderr speaks Vietnamese; a machine without a reader speaks English. */
export const isOfVietnamese = ({ env, stderr }: Context): boolean =>
  stderr.isTerminal && !isOn(env.CI) && /^vi(?:[_.@]|$)/i.test(localeOf(env));

/**
 * The language of a run, for stdout and stderr alike: as the flag, the environment, the profile or the settings say, else
 * as the locale does. What a program reads is in English, whatever they say.
 */
export function languageOf(context: Context, { settings }: Pick<Session, 'settings'>): Language {
  if (!isForPeople(context, formatOf(settings.output.value))) return 'en';
  return settings.lang?.value ?? (isOfVietnamese(context) ? 'vi' : 'en');
}

const isForPeople = ({ spoken, env }: Context, { forPeople }: Format): boolean =>
  spoken === undefined && !isOn(env.SHOPCTL_AGENT) && forPeople === true;

/** The language of a run whose line or settings cannot be used, as far as both tell: in the same order. */
export async function languageBefore(context: Context, line: Line): Promise<Language> {
  const { formatBefore, savedBefore } = await import('./session.ts');
  if (!isForPeople(context, await formatBefore(context, line))) return 'en';
  const { profile, settings } = await savedBefore(context, line);
  const given = [line.globals.lang, context.env.SHOPCTL_LANG || undefined, profile?.settings?.lang, settings?.lang];
  const asked = languageNames.find((name) => name === given.find((one) => one !== undefined));
  return asked ?? (isOfVietnamese(context) ? 'vi' : 'en');
}
