import { readOwn } from '../domain/json/values.ts';
import type { Answers } from '../sheets/account/questions.ts';
import type { TableStyle } from '../sheets/formats/sheet.ts';
import type { Mapping } from '../sheets/mapping/mapping.ts';
import type { BatchState } from '../store/tables.ts';
import type { BatchContext } from './batch-context.ts';
import { BatchError } from './batch-error.ts';
import { sweepPlanning } from './plan/new-batch.ts';
import type { Batch } from './store/batches.ts';
import { say } from './texts.ts';

/** How a file was written, as stored with its batch. */
export interface StoredSource {
  readonly name: string;
  /** Its absolute path; not of stdin, nor of a batch of an older version. */
  readonly path?: string | undefined;
  /** The sheet that was asked for. */
  readonly sheet?: string | undefined;
  /** Whether several sheets were read together. */
  readonly isOfSheets?: true;
  /** The row of the header, where it is not the first one. */
  readonly headerRow?: number | undefined;
  readonly format: string;
  /** The header; empty for records without one. */
  readonly columns: readonly string[];
  readonly style: TableStyle;
  /** How its columns were read, for a corrected file; a mapping of constants alone is added to what the columns are. */
  readonly mapping?: Mapping | undefined;
  /** What was answered about it, for a corrected file. */
  readonly answers?: Answers | undefined;
  /** For an undo: the number of the batch that it undoes. */
  readonly undoes?: number;
  /** Whether rows that equal earlier ones are new ones, or those of an earlier batch, if the user said so. */
  readonly equals?: 'again' | 'continue';
  /** Whether somebody waits for its summary, and nobody was told of it yet. */
  readonly isUntold?: boolean;
}

/** How the source of a batch was written. */
export function sourceOf(batch: Pick<Batch, 'source'>): StoredSource {
  return { name: '', format: 'csv', columns: [], style: {}, ...readOwn<Partial<StoredSource>>(batch.source) };
}

/** How a corrected file of a batch is read: by the mapping of the first one, if its columns are the same. */
export function mappingsOf(batch: Pick<Batch, 'source' | 'do'>): {
  readonly mapping?: Mapping;
  readonly saved: readonly (readonly [string, Mapping])[];
} {
  const { mapping } = sourceOf(batch);
  if (mapping === undefined) return { saved: [] };
  if (Object.keys(mapping.columns).length === 0) return { mapping, saved: [] };
  return { saved: [['of the batch', { ...mapping, command: batch.do }]] };
}

/** The undo of a batch, if it is in one of these states. */
export async function undoOf(
  { batches }: Pick<BatchContext, 'batches'>,
  { account, number }: Batch,
  states: readonly BatchState[],
): Promise<Batch | undefined> {
  const undos = await batches.list({ account, states });
  return undos.find((batch) => sourceOf(batch).undoes === number);
}

/**
 * Refuses to go on with a batch that is being undone: the undo would know nothing of what is sent meanwhile. Asked before rows
 * are opened again, so that they stay what they were. Throws a BatchError or a WorkspaceError.
 */
export async function requireNoUndo(context: BatchContext, batch: Batch): Promise<void> {
  // One that was killed while it read its records undoes nothing.
  await sweepPlanning(context);
  const undo = await undoOf(context, batch, ['planning', 'open']);
  if (undo === undefined) return;
  const message = say().undo.beingUndone({ batch: batch.id, undo: undo.id });
  throw new BatchError('batch_open', message, { meta: { batch: undo.id } });
}
