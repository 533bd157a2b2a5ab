import { join } from 'node:path';
import type { Ports } from '../../../action/ports.ts';
import { readOwn } from '../../../domain/json/value-at.ts';
import type { ProposedColumn } from '../../../sheets/mapping/propose-mapping.ts';

/** What was answered about the columns of a sheet before somebody left. */
interface Begun {
  readonly of: { readonly command: string; readonly header: readonly string[] };
  readonly columns: readonly ProposedColumn[];
}

const pathIn = ({ places }: Ports) => join(places.state, 'begun-mapping.json');

/** The columns of this header that were answered before; none if another one was mapped last. */
export async function begunColumns(of: Begun['of'], ports: Ports): Promise<readonly ProposedColumn[]> {
  const stored = await ports.files.read(pathIn(ports)).catch(() => '{}');
  const begun = readOwn<Partial<Begun>>(stored);
  return JSON.stringify(begun.of) === JSON.stringify(of) ? (begun.columns ?? []) : [];
}

/**
 * Runs questions that add each answered column to a list; whoever leaves before the last one answers only the others
 * the next time.
 */
export async function rememberingColumns<Result>(
  of: Begun['of'],
  columns: readonly ProposedColumn[],
  ports: Ports,
  ask: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await ask();
    await ports.files.remove(pathIn(ports)).catch(() => {});
    return result;
  } catch (error) {
    if (columns.length > 0) {
      const begun: Begun = { of, columns };
      await ports.files.write(pathIn(ports), JSON.stringify(begun), 0o600);
      await ports.person.tell(
        `The answers about ${columns.length} of ${of.header.length} columns are stored: the same command continues.`,
      );
    }
    throw error;
  }
}
