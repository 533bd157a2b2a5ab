import { join } from 'node:path';
import { type Language, languageNames } from '../../domain/language.ts';
import { errorCode } from '../../platform/process/error-code.ts';
import { isOn } from '../../settings/setting.ts';
import type { Context } from '../context.ts';
import type { Line } from '../line/line.ts';
import { diagnosticsOf } from '../print/diagnostics.ts';
import { type Format, formatOf } from '../print/formats.ts';
import type { Session } from './session.ts';

/** The locale that a terminal's programs are asked to use; C and POSIX are English. */
const localeOf = ({ LC_ALL, LC_MESSAGES, LANG }: Context['env']): string => LC_ALL || LC_MESSAGES || LANG || '';

const isLocaleVietnamese = ({ env }: Context): boolean => !isOn(env.CI) && /^vi(?:[_.@]|$)/i.test(localeOf(env));

/** Whether the machine of whoever reads stderr speaks Vietnamese; a machine without a reader speaks English. */
export const isOfVietnamese = (context: Context): boolean => context.stderr.isTerminal && isLocaleVietnamese(context);

/**
 * The language of a run, for stdout and stderr alike: as the flag, the environment, the profile or the settings say, else
 * as the locale does. What a program reads is in English, whatever they say.
 */
export function languageOf(context: Context, { settings }: Pick<Session, 'settings'>): Language {
  if (!isForPeople(context, formatOf(settings.output.value))) return 'en';
  return settings.lang?.value ?? (isOfVietnamese(context) ? 'vi' : 'en');
}

/** How the language is chosen, for whoever reads Vietnamese: the only text that is in it whatever the run speaks. */
const OFFER = 'Tiếng Việt: shopctl config set lang vi';

/**
 * Tells once on a machine how to read Vietnamese (decision 037): where nothing chose English but that stderr goes elsewhere,
 * and somebody sits at the terminal. What cannot be remembered is not told.
 */
export async function offerVietnamese(context: Context, session: Session): Promise<void> {
  const { files, stdin, stdout } = context;
  const { settings, globals, places } = session;
  const isRead = (stdin.isTerminal || stdout.isTerminal) && isForPeople(context, formatOf(settings.output.value));
  const isSilent = globals.quiet === true || globals['dry-run'] === true || globals.curl === true;
  if (settings.lang !== undefined || isSilent || !isRead || !isLocaleVietnamese(context)) return;
  const path = join(places.state, 'vietnamese-offered');
  const wasOffered = () =>
    files.read(path).then(
      () => true,
      (error: unknown) => errorCode(error) !== 'ENOENT',
    );
  if (await wasOffered()) return;
  const isKept = await files.write(path, '').then(
    () => true,
    () => false,
  );
  if (isKept) await diagnosticsOf(context).notice({ message: OFFER });
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
