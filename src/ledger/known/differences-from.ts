import { differences, requestDifferences } from '../../client/settle/compare.ts';
import { type Fields, fieldsIn, readFields } from '../../domain/json/values.ts';
import { type Sql, textOf } from '../../store/sql.ts';
import { intentAt } from '../store/intents.ts';

/** What the holder of a key sent; undefined if it was forgotten. */
async function requestOfHolder(sql: Sql, holder: string): Promise<Fields | undefined> {
  const [kind, batch = '', row = ''] = holder.split(' ');
  if (kind === 'batch') {
    const [found] = await sql('select payload from batch_contents where batch = ? and row = ?', [
      Number(batch),
      Number(row),
    ]);
    return found && readFields(textOf(found, 'payload'));
  }
  const intent = await intentAt(sql, holder);
  const request = intent && fieldsIn(readFields(intent.body).request);
  return request !== undefined && Object.keys(request).length > 0 ? request : undefined;
}

/**
 * The paths at which a request differs from what the holder of its name sent; undefined if that is forgotten.
 */
export async function differencesFrom(sql: Sql, holder: string, asked: Fields): Promise<string[] | undefined> {
  const sent = await requestOfHolder(sql, holder);
  if (sent === undefined) return undefined;
  const { locationTree } = await import('../../domain/places/place-data.ts');
  return requestDifferences(asked, sent, locationTree);
}

/** The paths at which a request differs from a record, as the service has it. */
export async function differencesFromRecord(asked: Fields, record: Fields): Promise<string[]> {
  const { locationTree } = await import('../../domain/places/place-data.ts');
  return differences(asked, record, locationTree);
}
