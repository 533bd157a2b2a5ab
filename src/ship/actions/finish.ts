import { join } from 'node:path';
import type { Ports } from '../../action/ports.ts';
import { call } from '../../client/call.ts';
import { CallError } from '../../client/errors.ts';
import { loadOperation } from '../../contract/areas.ts';
import { fieldsIn } from '../../domain/json/values.ts';
import { sentNotices } from '../../ledger/actions/how-sent.ts';
import { cashWords } from '../../ledger/equal-order.ts';
import type { Intent } from '../../ledger/intents/intent.ts';
import type { OrderDraft } from '../../ledger/order-draft.ts';
import { tellDone } from '../../operations/actions/derive.ts';
import { shopInForce } from '../../settings/keys.ts';
import { nameOfShop } from '../../settings/shop-names.ts';
import { changedDistrict, inWordsOfQuestions } from '../questions/field-words.ts';
import type { ShipOperations, Shipped } from '../send-draft.ts';
import { rememberPickup } from '../shop-lists.ts';
import { say } from '../texts.ts';

const ofService = new Set(['carrier', 'connection_id']);

/** The order of a request as an input file: without the service, which the command picks again. */
function inputOf({ request, external_id }: Intent): object {
  const { shipping, ...order } = { ...request, external_id };
  const kept = Object.entries(shipping ?? {}).filter(
    ([field]) => !ofService.has(field) && !field.startsWith('shipping_service_'),
  );
  return { ...order, shipping: Object.fromEntries(kept) };
}

/** Districts that the service corrected, because the ward belongs to another one than the one sent. */
async function changedDistricts({ request, from_input }: Intent, { order }: Shipped['answer']): Promise<string[]> {
  const { locationTree } = await import('../../domain/places/place-data.ts');
  const pairs = [
    ['shipping_address', request?.shipping_address, order?.shipping_address],
    ['shipping.pickup_address', request?.shipping?.pickup_address, order?.shipping?.pickup_address],
  ] as const;
  return pairs.flatMap(([path, sent, answered]) => {
    const changed = changedDistrict(locationTree, sent, answered);
    return changed === undefined
      ? []
      : [say().address.changedOf({ address: from_input ? path : inWordsOfQuestions(path), changed })];
  });
}

/** Writes the order as an input file that repeats it, for its owner only; returns the path. */
async function saveInput(draft: Intent, { files, places }: Ports): Promise<string> {
  const path = join(places.state, 'drafts', `${draft.id}.order.json`);
  await files.write(path, `${JSON.stringify(inputOf(draft), undefined, 2)}\n`, 0o600);
  return path;
}

/** The codes of an order and its parcel, and the cash. */
function inBrief({ order, fulfillments }: Shipped['answer'], request: OrderDraft): string {
  const parcel = fulfillments?.[0]?.shipping_code || undefined;
  return say().sent.brief({ order: order?.code || String(order?.id), parcel, cash: cashWords(request) });
}

/** Reports the result of an order besides the service's response, and how to repeat it without questions. */
export async function tellFinished(
  ports: Ports,
  operations: ShipOperations,
  { intent: draft, answer, reported, ...sent }: Shipped,
  asked: boolean,
): Promise<Shipped['answer']> {
  const { report, ui } = ports;
  report.onceReported(reported);
  if (draft !== undefined) {
    const code = draft.request?.external_code || undefined;
    report.notice(say().sent.draft({ id: draft.id, code, name: String(draft.external_id) }));
  }
  for (const notice of sentNotices(sent)) report.notice(notice);
  for (const changed of draft === undefined ? [] : await changedDistricts(draft, answer)) report.notice(changed);
  if (asked && draft !== undefined) {
    const pickup = draft.request?.shipping?.pickup_address;
    if (pickup) await rememberPickup(ports.places.state, ports.files, pickup);
    // The order is shipped, even if the file for repeating it cannot be written.
    const path = await saveInput(draft, ports).catch(() => undefined);
    const { code: pick = '', fee = 0 } = draft.accepted ?? {};
    if (path !== undefined) {
      report.notice(say().sent.theSame);
      report.notice(`  ${ui.advise('ship_the_same', { path, pick, fee })}`);
    }
  }
  tellDone(operations.create, answer, { ...draft?.request }, ports);
  // The last line: what a person writes on the parcel, and looks for above a long answer.
  if (asked && draft?.request !== undefined) report.notice(inBrief(answer, draft.request));
  return answer;
}

/**
 * The name of the shop that ships: for a partner the one that signed in, otherwise what the service reports for the
 * shop's own key. Its id, or nothing, if no name is known.
 */
export async function shopName({ settings, connection }: Ports): Promise<string | undefined> {
  if ((settings.as?.value ?? 'partner') === 'partner') {
    const shop = shopInForce(settings);
    if (shop === undefined) return undefined;
    return nameOfShop(settings.profile, shop) ?? say().run.shop({ shop });
  }
  try {
    const account = fieldsIn(await call(await loadOperation('shop.Misc/CurrentAccount'), {}, connection()));
    return typeof account.name === 'string' && account.name !== '' ? account.name : undefined;
  } catch (error) {
    // The name is optional: not knowing it is no reason not to ship.
    if (error instanceof CallError) return undefined;
    throw error;
  }
}
