import type { How } from '../../flows/ship/send-once.ts';

/** What a person has to know about an order that was not simply sent by this run. */
export const ways: Readonly<Record<How, string | undefined>> = {
  now: undefined,
  settled: 'its answer was lost, and it was settled by its external_id: there is one order',
  before: 'it was sent before: nothing was sent now',
  together: 'another run sent it meanwhile: there is one order',
};

/** The order was placed, but the local record of it could not be updated. */
export function unkeptNotice(reason: string): string {
  return `the order is made, but its draft could not be kept up to date: ${reason}; the same command settles it again`;
}
