import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import { addDays } from '../../domain/calendar.ts';
import { readDay } from '../../domain/moment-text.ts';
import { type AtMirror, rollupZone } from '../../mirror/actions/place.ts';
import type { ReconcileSpan } from '../times-sql.ts';

/** What a reconciliation was asked for. */
export interface Asked {
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly carrier: string | undefined;
  readonly session: string | undefined;
  readonly grace: string | undefined;
}

function wrong(path: string, message: string): Refusal {
  return new Refusal('invalid_input', `${path} ${message}`, { fieldErrors: [{ path, message }] });
}

/** The parcels that are meant. */
interface Spanned {
  readonly span: ReconcileSpan;
  /** The first and the last day, YYYY-MM-DD. */
  readonly days: { readonly since: string | undefined; readonly until: string | undefined };
  readonly completeUntil: string;
  readonly copiedAt: number;
}

/** The parcels that are meant, and how far the mirror has them. Throws a Refusal for a mirror without shipments. */
export async function spanOf(
  { since, until, carrier, session, grace }: Asked,
  { mirror, shopId }: AtMirror,
  ports: Ports,
): Promise<Spanned> {
  const [{ graceOf, startOfDay, workingDaysBefore }, { daysIn }, { areaStates }] = await Promise.all([
    import('../index.ts'),
    import('../../mirror/store/write/days.ts'),
    import('../../mirror/store/area-states.ts'),
  ]);
  const dayOf = daysIn(rollupZone(ports));
  const now = dayOf(new Date(ports.clock.now()).toISOString());
  const dayIn = (path: string, given: string | undefined) => {
    const day = given === undefined ? undefined : readDay(given, now, path === 'until');
    if (given !== undefined && day === undefined)
      throw wrong(path, 'must be a day that exists, like 2026-11-21 or 21/11/2026');
    return day;
  };
  const [first, last] = [dayIn('since', since), dayIn('until', until)];
  if (first !== undefined && last !== undefined && first > last)
    throw wrong('until', `must not be before since, ${first}`);
  const momentOf = (day: string | undefined) =>
    day === undefined ? undefined : startOfDay(day, dayOf).replace('Z', '');
  const days = graceOf(grace ?? ports.settings.codGrace.value);
  if (days === undefined) throw wrong('grace', 'must be a number of days, like 7d or 7d,ghn=5d');
  const shipments = (await areaStates(mirror, shopId)).find(({ area }) => area === 'fulfillments');
  const { complete_until: complete = null, began_here: copiedAt } = shipments ?? {};
  if (complete === null) {
    const message = 'the mirror has no shipments yet, so there is nothing to compare payments with';
    throw new Refusal('mirror_area_missing', message, { kind: 'missing' });
  }
  const completeUntil = new Date(Number(complete)).toISOString().replace('.000Z', 'Z');
  const today = dayOf(completeUntil);
  const overdue = (count: number) => startOfDay(workingDaysBefore(today, count), dayOf).replace('Z', '');
  return {
    completeUntil,
    copiedAt: Number(copiedAt),
    days: { since: first, until: last },
    span: {
      shopId,
      since: momentOf(first),
      // The first moment that is not in it.
      until: momentOf(last === undefined ? undefined : addDays(last, 1)),
      carrier,
      session,
      dayOf,
      overdueBefore: overdue(days.days),
      overdueOf: new Map([...days.of].map(([name, count]) => [name, overdue(count)])),
    },
  };
}
