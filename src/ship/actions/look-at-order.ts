import type { Ports } from '../../action/ports.ts';
import { invalidInput } from '../../client/refusal.ts';
import type { FieldError } from '../../contract/operation.ts';
import { jsonSchema } from '../../contract/schema/json-schema.ts';
import { lookAt, type Note } from '../../contract/schema/likeness.ts';
import type { CompleteOrder } from '../../ledger/order-draft.ts';
import type { ShipOperations } from '../send-draft.ts';
import { say } from '../texts.ts';

/** Without a customer's address the parcel's address is used for it: drops the errors of the copy. */
export function withoutCopies(seen: readonly FieldError[]): FieldError[] {
  const ofParcel = (path: string) => path.replace(/^customer_address\./, 'shipping_address.');
  const isSaid = ({ path, message }: FieldError) =>
    ofParcel(path) !== path && seen.some((other) => other.path === ofParcel(path) && other.message === message);
  return seen.filter((each) => !isSaid(each));
}

/**
 * Checks the phones and e-mail addresses of an order, as when they are typed: reports what is unusual, and throws a
 * Refusal that names what is impossible. `worded` may replace the paths of fields in a note.
 */
export async function lookAtOrder(
  { clock, report }: Ports,
  { create }: ShipOperations,
  order: CompleteOrder,
  worded: (text: string) => string = (text) => text,
): Promise<void> {
  const { errors, notes } = await lookAt(jsonSchema(create.request), order, {
    today: new Date(clock.now()).toISOString().slice(0, 10),
    places: async () => (await import('../../domain/places/place-data.ts')).locationTree,
  });
  const wrong = withoutCopies(errors);
  if (wrong.length > 0) throw invalidInput(wrong);
  // A place that is not in our list is reported only if the service refuses it, with the nearest names.
  const isOfPlace = ({ path, code }: Note) => /\.(?:province|district|ward)$/.test(path) && code !== 'moved_place';
  for (const { path, message } of withoutCopies(notes.filter((note) => !isOfPlace(note))))
    report.say(say().warning({ field: worded(path), what: worded(message) }), { code: 'unusual_value', path });
}
