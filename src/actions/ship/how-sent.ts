import type { How } from '../../flows/send-once.ts';

/** What a person has to know about an order that this run did not simply send. */
export const ways: Readonly<Record<How, string | undefined>> = {
  now: undefined,
  settled: 'its answer was lost, and it was settled by its external_id: there is one order',
  before: 'it was sent before: nothing was sent now',
  together: 'another run sent it meanwhile: there is one order',
};

/** The order is made, and what was kept of it on this machine falls behind. */
export function unkeptNotice(reason: string): string {
  return `the order is made, but its draft could not be kept up to date: ${reason}; the same command settles it again`;
}
