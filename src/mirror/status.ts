import { type AreaState, areaStates } from './store/area-states.ts';
import { mirrorAreas } from './store/declared-areas.ts';
import type { Mirror } from './store/mirror.ts';

/** How fresh the copy of one area is; moments are ISO 8601, UTC, by the service's clock. */
export interface AreaStatus {
  readonly area: string;
  /** How many records it has that are not deleted. */
  readonly records: number;
  /** The newest updated_at of its records; null for records that have none. */
  readonly newest: string | null;
  /** The moment up to which it is complete; null if it was never copied whole. */
  readonly complete_until: string | null;
  /** The moment up to which it was compared with the service; null if it never was. */
  readonly verified_through: string | null;
  /** How long ago the last copy began, in seconds; null if it was never copied whole. */
  readonly age_seconds: number | null;
}

/** A moment in milliseconds since 1970 as text. */
export const momentOrNull = (at: number | null): string | null =>
  at === null ? null : new Date(Number(at)).toISOString().replace('.000Z', 'Z');

/** What was verified before the service's clock was set back counts no further than the copy does. */
function verifiedThrough({ verified_through: verified, complete_until: complete }: AreaState): number | null {
  return verified === null || complete === null ? null : Math.min(Number(verified), Number(complete));
}

/** The state of every area of a shop. `now` is this machine's clock, and is compared only with itself. */
export async function areaStatus(mirror: Mirror, shopId: string, now: number): Promise<AreaStatus[]> {
  const states = new Map((await areaStates(mirror, shopId)).map((state) => [state.area, state]));
  const status: AreaStatus[] = [];
  for (const { name } of mirrorAreas) {
    const state = states.get(name);
    const { n } = await mirror.read(({ database }) =>
      database
        .selectFrom('mirror_records')
        .select((build) => build.fn.countAll().as('n'))
        .where('area', '=', name)
        .where('shop_id', '=', shopId)
        .where('gone', '=', 0)
        .executeTakeFirstOrThrow(),
    );
    const beganHere = state?.began_here ?? null;
    status.push({
      area: name,
      records: Number(n),
      newest: momentOrNull(state?.newest ?? null),
      complete_until: momentOrNull(state?.complete_until ?? null),
      verified_through: momentOrNull(state === undefined ? null : verifiedThrough(state)),
      age_seconds: beganHere === null ? null : Math.max(0, Math.floor((now - Number(beganHere)) / 1000)),
    });
  }
  return status;
}
