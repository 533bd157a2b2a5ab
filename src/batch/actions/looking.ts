import type * as z from 'zod';
import type { Ports } from '../../action/ports.ts';
import { shopOfAccount } from '../../client/account.ts';
import { inCapitalsToo } from '../../domain/named-by.ts';
import { firstOf } from '../../ledger/identity.ts';
import { shopAskedFor } from '../../settings/keys.ts';
import type { RowState } from '../../store/tables.ts';
import { BatchError } from '../batch-error.ts';
import type { OpenBatches } from '../open.ts';
import { recordOf } from '../result-table.ts';
import { batchNamed, wordFor } from '../runs.ts';
import { lockOf } from '../store/batches.ts';
import type { WholeRow } from '../store/row.ts';
import { sourceOf } from '../stored-source.ts';
import { say } from '../texts.ts';
import { openBatchesOf, worded } from './in-context.ts';
import type { rowOfRecord, rowOfSheet } from './outputs.ts';
import { createsRecords, personOf, shownRow } from './shown-row.ts';

/** Opens the workspace for reading, and closes it afterwards. */
export async function looking<Result>(ports: Ports, look: (at: OpenBatches) => Promise<Result>): Promise<Result> {
  const open = await openBatchesOf(ports);
  try {
    return await look(open);
  } catch (error) {
    throw error instanceof BatchError ? await worded(error, ports) : error;
  } finally {
    await open.workspace.close();
  }
}

/** The rows of a batch for display. */
export async function* rowsShown(
  ports: Ports,
  name: string | null | undefined,
  states: readonly RowState[] | undefined,
): AsyncGenerator<z.output<typeof rowOfSheet>, void, undefined> {
  const { workspace, batches, rows } = await openBatchesOf(ports);
  try {
    const batch = await batchNamed({ batches }, name, shopAskedFor(ports.settings));
    const source = sourceOf(batch);
    const creates = await createsRecords(batch);
    const from = { source, do: batch.do };
    let unclear: WholeRow | undefined;
    const wanted = states === undefined || states.length === 0 ? {} : { states };
    for await (const row of rows.each({ batch: batch.number, ...wanted })) {
      if (row.state === 'unclear') unclear ??= row;
      yield { ...shownRow(row, creates, from), ...personOf(row), sheet: recordOf(row, source.columns) };
    }
    if (unclear === undefined) return;
    const word = await wordFor({ rows }, batch.number, unclear);
    ports.report.notice(ports.ui.advise('settle_row', { batch: batch.id, row: word }));
  } catch (error) {
    throw error instanceof BatchError ? await worded(error, ports) : error;
  } finally {
    await workspace.close();
  }
}

/** The rows that created or changed a record, those of the newest batch first; of a shop if one is asked for. */
export function rowsOfRecord(ports: Ports, record: string): Promise<z.output<typeof rowOfRecord>[]> {
  const asked = shopAskedFor(ports.settings);
  return looking(ports, async ({ batches, rows }) => {
    const ofShop = (await batches.list({})).filter(
      ({ account }) => asked === undefined || shopOfAccount(account) === asked,
    );
    const listed = new Map(ofShop.map((batch) => [batch.number, batch]));
    const found: z.output<typeof rowOfRecord>[] = [];
    let called = await rows.called(record);
    for (const typed of inCapitalsToo(record)) if (called.length === 0) called = await rows.called(typed);
    for (const row of called) {
      const batch = listed.get(row.batch);
      if (batch === undefined) continue;
      const { name, columns } = sourceOf(batch);
      const own = { batch: batch.id, do: batch.do, file: name, started_at: batch.created_at };
      const shown = shownRow(row, await createsRecords(batch));
      found.push({ ...own, ...shown, ...personOf(row), sheet: recordOf(row, columns) });
    }
    if (found.length === 0) ports.report.notice(say().look.nothingFound({ batches: listed.size, record }));
    return found;
  });
}

/** Removes a batch. Throws a BatchError while the outcome of any row is unknown. */
export function forgetBatch(ports: Ports, name: string): Promise<{ forgotten: string }> {
  return looking(ports, async ({ workspace, batches }) => {
    const batch = await batchNamed({ batches }, name, shopAskedFor(ports.settings));
    ports.intend({ forget: batch.id });
    const release = await workspace.hold(lockOf(batch), { signal: ports.signal });
    try {
      const end = await batches.forget(batch.number, firstOf);
      if (end === 'worked at') {
        throw new BatchError('batch_open', say().look.workedAt({ batch: batch.id }), { meta: { batch: batch.id } });
      }
      if (end === 'unclear') {
        const message = say().look.unknownRows({ batch: batch.id });
        throw new BatchError('batch_unclear', message, { meta: { batch: batch.id } });
      }
      return { forgotten: batch.id };
    } finally {
      release();
    }
  });
}
