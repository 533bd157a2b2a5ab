import type { Context } from '../context.ts';
import { exitCodes } from '../errors/exit.ts';
import type { Result } from '../flags/command.ts';
import { printDocument } from '../print/print-document.ts';
import { tellLines } from '../print/tell.ts';
import type { Session } from '../session/session.ts';
import { howToPrint } from './how-to-print.ts';

/** The write happened even if its output cannot be printed: its response goes to stderr, so that it is not lost. */
async function tellUnprinted(context: Context, { document }: Result, error: unknown): Promise<void> {
  const [{ makeSafe }, { toJson }] = await Promise.all([
    import('../../platform/terminal/text-safety.ts'),
    import('../print/json.ts'),
  ]);
  const reason = error instanceof Error ? error.message : String(error);
  const answer = document.kind === 'record' ? `${toJson(document.value)}\n` : '';
  await context.stderr.write(`shopctl: warning: it was done, but could not be printed: ${makeSafe(reason)}\n${answer}`);
}

/** Prints the result of a command, then its notices; the exit code is the command's own, even if printing fails. */
export async function printResult(context: Context, session: Session, result: Result): Promise<number> {
  const settings = await howToPrint(context, session);
  const format =
    session.settings.output.origin === 'default' ? (result.defaultFormat ?? settings.format) : settings.format;
  let shown: readonly string[] = [];
  const onColumns = (paths: readonly string[]) => {
    shown = paths;
  };
  try {
    await printDocument(result.document, { ...settings, format, onColumns }, context.stdout);
    if (!context.stdout.closed) await result.reported?.();
  } catch (error) {
    if (result.applied !== true) throw error;
    await tellUnprinted(context, result, error);
  }
  const reported = typeof result.notices === 'function' ? result.notices(shown) : (result.notices ?? []);
  const notices = session.unsaved() ? [...reported, 'nothing was saved, as this was only a preview'] : reported;
  const lines = [...(session.globals.quiet === true ? [] : notices), ...(result.warnings?.() ?? [])];
  if (lines.length > 0) {
    const { makeSafe } = await import('../../platform/terminal/text-safety.ts');
    for (const notice of lines) await tellLines(context.stderr, `${makeSafe(notice)}\n`);
  }
  return result.exitCode ?? exitCodes[result.exit ?? 'success'].code;
}
