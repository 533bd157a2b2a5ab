import { numberOf, type Sql } from '../sql/sql.ts';

/** How many milliseconds a service's dates are ahead of this machine's clock, as a run has learned it; undefined if none has. */
export async function clockOffset(sql: Sql, origin: string): Promise<number | undefined> {
  const [row] = await sql('select offset_ms from service_clocks where origin = ?', [origin]);
  return row && numberOf(row, 'offset_ms');
}

/** Stores it for the runs to come. */
export async function keepClockOffset(sql: Sql, origin: string, offset: number): Promise<void> {
  await sql(
    'insert into service_clocks (origin, offset_ms) values (?, ?) on conflict (origin) do update set offset_ms = excluded.offset_ms',
    [origin, offset],
  );
}
