import type { Clock } from '../../platform/process/clock.ts';

/**
 * An external id for a record whose caller gave none, so that a lost answer can be settled: the date for people, 80
 * random bits against collisions. It matches `[-._$#:\w]{2,100}` (decisions, section 2).
 */
export function newExternalId(clock: Clock, randomBytes: (length: number) => Uint8Array): string {
  const day = new Date(clock.now()).toISOString().slice(0, 10).replaceAll('-', '');
  return `shopctl-${day}-${Buffer.from(randomBytes(10)).toString('hex')}`;
}

/** Whether an external id was made by `newExternalId`. */
export function isMadeExternalId(external_id: string): boolean {
  return /^shopctl-\d{8}-[0-9a-f]{20}$/.test(external_id);
}
