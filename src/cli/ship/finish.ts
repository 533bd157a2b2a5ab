import { unkeptNotice, ways } from '../../actions/ship/how-sent.ts';
import type { DraftStore, ShipDraft } from '../../flows/drafts.ts';
import { changedDistrict } from '../../flows/ship/moved-place.ts';
import { rememberPickup } from '../../flows/ship/pickups.ts';
import type { ShipOperations, Shipped } from '../../flows/ship/send-draft.ts';
import type { Invocation, Result } from '../command.ts';
import { resultOf } from '../result.ts';

const ofService = new Set(['carrier', 'connection_id']);

/** The order of a request as an input file: without the service, which the command picks again. */
function inputOf({ request, external_id }: ShipDraft): object {
  const { shipping, ...order } = { ...request, external_id };
  const kept = Object.entries(shipping ?? {}).filter(
    ([field]) => !ofService.has(field) && !field.startsWith('shipping_service_'),
  );
  return { ...order, shipping: Object.fromEntries(kept) };
}

const quoted = (text: string) => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** The command that does the same without a question. */
function commandOf({ accepted }: ShipDraft, path: string): string {
  const { code = '', fee = 0 } = accepted ?? {};
  return `shopctl ship --input ${quoted(path)} --pick ${quoted(code)} --max-fee ${fee} --yes`;
}

/** Districts that the service changed, because the ward lies in another one than the one that was sent. */
async function changedDistricts({ request }: ShipDraft, { order }: Shipped['answer']): Promise<string[]> {
  const { locationTree } = await import('../../domain/place-data.ts');
  const pairs = [
    ['shipping_address', request?.shipping_address, order?.shipping_address],
    ['shipping.pickup_address', request?.shipping?.pickup_address, order?.shipping?.pickup_address],
  ] as const;
  return pairs.flatMap(([path, sent, answered]) => {
    const changed = changedDistrict(locationTree, sent, answered);
    return changed === undefined ? [] : [`${path}: ${changed}`];
  });
}

/** What the order came to: the service's answer, and on stderr how to do the same by a script. */
export async function finished(
  { context, session }: Invocation,
  store: DraftStore,
  operations: ShipOperations,
  { draft, answer, how, told, unkept }: Shipped,
  asked: boolean,
): Promise<Result> {
  const { state } = session.places;
  const code = draft.request?.external_code ? `external_code ${draft.request.external_code}, ` : '';
  const notices = [`draft ${draft.id} is sent, ${code}external_id ${draft.external_id}`];
  const way = ways[how];
  if (way !== undefined) notices.push(way);
  notices.push(...(await changedDistricts(draft, answer)));
  if (unkept !== undefined) notices.push(unkeptNotice(unkept));
  if (asked) {
    const pickup = draft.request?.shipping?.pickup_address;
    if (pickup) await rememberPickup(state, context.files, pickup);
    // The order is shipped whatever becomes of the file that would do the same again.
    const path = await store.saveInput(draft.id, inputOf(draft)).catch(() => undefined);
    if (path !== undefined) notices.push('the same without questions:', `  ${commandOf(draft, path)}`);
  }
  return { ...resultOf(operations.create, answer, notices), told };
}
