import { closeSync, constants, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateDirectory } from '../platform/files/files.ts';
import { type Sql, textOf } from './sql.ts';

/**
 * The epoch of a ledger counts what was taken to be sent through it, and the ends of that. It is stored in the ledger and, by
 * every machine that sends, outside it: a ledger whose epoch is lower than the one outside is a copy from an earlier time.
 */
const EPOCH = 'epoch';

/** The directories in which a machine has the epochs of its ledgers: the first one that can be written takes them. */
export type EpochPlaces = readonly string[];

const fileIn = (place: string, ledger: string) => join(place, 'ledgers', ledger);

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

/** The highest epoch of a ledger that this machine has outside it; 0 if it has none that can be read. */
export const epochOutside = (places: EpochPlaces, ledger: string): number =>
  Math.max(0, ...places.map((place) => sizeOf(fileIn(place, ledger))));

function storeAt(place: string, ledger: string, epoch: number): boolean {
  const path = fileIn(place, ledger);
  try {
    makePrivateDirectory(place);
    makePrivateDirectory(join(place, 'ledgers'));
    const file = openSync(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
    try {
      // The size of the file is the number: a byte behind its end raises it, and one before its end changes nothing, so
      // that processes beside each other never lower it.
      writeSync(file, '.', epoch - 1);
      return true;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

/** Stores the epoch of a ledger outside it; false if no place can be written. */
export const storeEpoch = (places: EpochPlaces, ledger: string, epoch: number): boolean =>
  places.some((place) => storeAt(place, ledger, epoch));

/** The epoch of a ledger as it says itself, and its id. */
export async function epochIn(sql: Sql): Promise<{ readonly ledger: string; readonly epoch: number }> {
  const rows = await sql(`select name, value from meta where name in ('ledger', '${EPOCH}')`);
  const values = new Map(rows.map((row) => [textOf(row, 'name'), textOf(row, 'value')]));
  return { ledger: values.get('ledger') ?? '', epoch: Number(values.get(EPOCH) ?? 0) };
}

/** Raises the epoch of a ledger to this one at least. */
export async function raiseEpoch(sql: Sql, epoch: number): Promise<void> {
  await sql(
    `insert into meta (name, value) values ('${EPOCH}', ?) on conflict (name) do update set value = excluded.value
      where cast(meta.value as bigint) < cast(excluded.value as bigint)`,
    [String(epoch)],
  );
}

/**
 * Begins the next epoch of a ledger, in the transaction that takes what is to be sent: a copy from before it lacks both.
 * Returns one row.
 */
export const NEXT_EPOCH = `insert into meta (name, value) values ('${EPOCH}', '1')
  on conflict (name) do update set value = cast(cast(meta.value as bigint) + 1 as text) returning name`;

/**
 * Stores outside a ledger the epoch that it has, and returns it: once that is committed, and before anything is sent. A
 * power cut between the two leaves a ledger that is newer than what is outside, and no copy. Where nothing outside can be
 * written, a copy is not recognised later.
 */
export async function keepEpoch(read: Sql, places: EpochPlaces): Promise<number> {
  const { ledger, epoch } = await epochIn(read);
  storeEpoch(places, ledger, epoch);
  return epoch;
}

/** Begins an epoch in a ledger, and then outside it; returns it. */
export async function beginEpoch(
  write: <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>,
  places: EpochPlaces,
): Promise<number> {
  const { ledger, epoch } = await write(async (sql) => {
    await sql(NEXT_EPOCH);
    return epochIn(sql);
  });
  storeEpoch(places, ledger, epoch);
  return epoch;
}
