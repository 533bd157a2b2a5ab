import type { Language } from '../../domain/language.ts';
import { isOn } from '../../settings/setting.ts';
import type { Context } from '../context.ts';
import { formatOf } from '../print/formats.ts';
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
  if (
    context.spoken !== undefined ||
    isOn(context.env.SHOPCTL_AGENT) ||
    formatOf(settings.output.value).forPeople !== true
  )
    return 'en';
  return settings.lang?.value ?? (isOfVietnamese(context) ? 'vi' : 'en');
}
