import { readFields } from '../../domain/json/value-at.ts';
import type { RowWithRequest } from './row.ts';

/** What a row that sends again what has ended keeps of that: who has made it. */
export function resending(holder: string): string {
  return JSON.stringify({ resends: holder });
}

/** Who has made what a row sends again; undefined for any other row. */
export function resentBy({ old_values }: Pick<RowWithRequest, 'old_values'>): string | undefined {
  const { resends } = readFields(old_values ?? '{}');
  return typeof resends === 'string' ? resends : undefined;
}
