import type { CsvStyle } from '../../domain/csv-guard.ts';
import type { Context } from '../context.ts';
import type { Result } from '../flags/command.ts';
import type { View } from '../print/document.ts';
import type { PrintSettings } from '../print/rows.ts';
import { type Session, zoneOf } from '../session/session.ts';

/** How the run writes csv, on stdout and to a file. */
export function csvStyle({ globals }: Session): CsvStyle {
  return { csvGuard: globals['no-csv-guard'] !== true, forExcel: globals.bom === true };
}

/** The print settings for the result of a run. */
export async function howToPrint(context: Context, session: Session): Promise<PrintSettings> {
  const { colourOn } = await import('../print/style.ts');
  const { globals, settings } = session;
  const { fields, query } = globals;
  const { columns } = context.stdout;
  return {
    format: settings.output.value,
    ...(typeof fields === 'string' ? { fields: fields.split(',').map((field) => field.trim()) } : {}),
    ...(typeof query === 'string' ? { query } : {}),
    colour: colourOn({
      isTerminal: context.stdout.isTerminal,
      env: context.env,
      noColour: globals['no-color'] === true,
    }),
    ...(columns === undefined ? {} : { columns }),
    terminal: context.stdout.isTerminal,
    quiet: globals.quiet === true,
    timeZone: zoneOf(session),
    ...csvStyle(session),
    signal: context.signal,
  };
}

/**
 * Printing checks that must happen before anything is sent: `--fields` without a value prints the available fields, and
 * an invalid field or query is refused before anything has happened.
 */
export async function beforeSending(context: Context, session: Session, view: View): Promise<Result | undefined> {
  const { fields, query } = session.globals;
  if (fields === true) {
    const { knownFields } = await import('../print/select-fields.ts');
    const known = knownFields(view) ?? view.columns.map(({ path }) => path);
    return { document: { kind: 'text', text: known.map((field) => `${field}\n`).join('') } };
  }
  if (fields !== undefined || query !== undefined) {
    const { checkPrintSettings } = await import('../print/print-document.ts');
    await checkPrintSettings(await howToPrint(context, session), view);
  }
  return undefined;
}
