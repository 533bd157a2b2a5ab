import type { Context } from '../context.ts';
import { exitCodes } from '../errors/exit.ts';
import type { Result } from '../flags/command.ts';
import { diagnosticsOf, type Notice } from '../print/diagnostics.ts';
import { printDocument } from '../print/print-document.ts';
import { say } from '../print/texts.ts';
import type { Session } from '../session/session.ts';
import { howToPrint } from './how-to-print.ts';

/** What a result has to print, a record or rows that were there before; undefined for any other. */
const answerIn = ({ document, rows }: Result): unknown => (document.kind === 'record' ? document.value : rows);

/** The write happened even if its output cannot be printed: its response goes to stderr, so that it is not lost. */
async function tellUnprinted(context: Context, result: Result, error: unknown): Promise<void> {
  const diagnostics = diagnosticsOf(context);
  const reason = error instanceof Error ? error.message : String(error);
  const answer = answerIn(result);
  const message = say().unprinted({ why: reason });
  await diagnostics.warning({ message, about: { code: 'not_printed', result: answer } }, 'shopctl: ');
  if (answer === undefined || diagnostics.isForPrograms) return;
  await context.stderr.write((await import('../print/json.ts')).jsonLine(answer));
}

const unsaved = (): Notice => ({ message: say().unsaved, about: { code: 'not_saved' } });

/** Names the columns for which a terminal is too narrow. */
const leftOutNotice = (columns: readonly string[], width: number): Notice => ({
  message: say().leftOut({ columns, width }),
  about: { code: 'columns_left_out', columns },
});

/** Prints the result of a command, then its notices; the exit code is the command's own, even if printing fails. */
export async function printResult(context: Context, session: Session, result: Result): Promise<number> {
  const settings = await howToPrint(context, session);
  const format =
    session.settings.output.origin === 'default' ? (result.defaultFormat ?? settings.format) : settings.format;
  let shown: readonly string[] = [];
  let narrow: readonly Notice[] = [];
  const onColumns = (paths: readonly string[], leftOut: readonly string[]) => {
    shown = paths;
    narrow = settings.terminal && leftOut.length > 0 ? [leftOutNotice(leftOut, settings.columns ?? 0)] : [];
  };
  let ofQuery: readonly Notice[] = [];
  const onFieldOfList = (field: string) => {
    ofQuery = [{ message: say().query.ofList({ field }), about: { code: 'query_of_list', field } }];
  };
  try {
    await printDocument(result.document, { ...settings, format, onColumns, onFieldOfList }, context.stdout);
    if (!context.stdout.closed) await result.reported?.();
  } catch (error) {
    if (result.applied !== true) throw error;
    await tellUnprinted(context, result, error);
  }
  const reported = typeof result.notices === 'function' ? result.notices(shown) : (result.notices ?? []);
  const notices = [...narrow, ...ofQuery, ...reported, ...(session.unsaved() ? [unsaved()] : [])];
  const diagnostics = diagnosticsOf(context);
  for (const notice of session.globals.quiet === true ? [] : notices) await diagnostics.notice(notice);
  for (const notice of result.warnings?.() ?? []) await diagnostics.notice(notice);
  return result.exitCode ?? exitCodes[result.exit ?? 'success'].code;
}
