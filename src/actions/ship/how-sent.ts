import type { How } from '../../flows/ledger/once.ts';

/** What a person has to know about an order that was not simply sent by this run. */
export const ways: Readonly<Record<How, string | undefined>> = {
  now: undefined,
  settled: 'its answer was lost, and it was settled by its external_id: it was created once',
  before: 'it was sent before: nothing was sent now',
  together: 'another run sent it meanwhile: it was created once',
};

/** The order was placed, but the local record of it could not be updated. */
export function unkeptNotice(reason: string): string {
  return `the order was created, but the ledger could not be updated: ${reason}; running the same command again settles it`;
}

/** The record is there, and the service has some of it otherwise than it was sent. */
export function differentNotice(fields: readonly string[]): string {
  return `the service returned another ${fields.join(', ')} than was sent`;
}
