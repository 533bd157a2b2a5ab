import { TransportError, type WireResponse } from '../../../src/platform/http/transport.ts';
import { openCore } from '../../../src/sandbox/engine/core.ts';
import { serveCore } from '../../../src/sandbox/sandbox.ts';
import { fixedRandom } from '../../support/sandbox.ts';
import type { SentRequest } from './fleet/messages.ts';
import { delivery, type Kind, kinds, LONG, type Parents, place, quoted, REFUSED, wishIn } from './kinds.ts';

/** What befalls a request that creates a record. */
export const misfortunes = [
  'drop-before',
  'drop-after',
  'late',
  'doubled',
  'unavailable-after',
  'throttled-after',
  'throttled-then-refused',
  'throttled-then-interrupted',
  'aborted-after',
  'unreadable-409',
  'refused-once',
  'false-409',
] as const;
export type Misfortune = (typeof misfortunes)[number];

/** A record that the service made, and on whose behalf. */
export interface Made {
  readonly kind: Kind;
  readonly id: string;
  readonly subject: number;
  readonly content: string;
  readonly name: string;
  /** The piece of work that sent the request. */
  readonly by: number;
  /** Whether the request was delivered twice by the network. */
  readonly copied: boolean;
  /** Whether it arrived when nobody waited for it any more. */
  readonly late: boolean;
  readonly phone: string;
  readonly fee: number;
}

/** A value that a record was given after it was made, by a change or by an undo. */
export interface Changed {
  readonly id: string;
  readonly value: string;
  /** The piece of work that sent it. */
  readonly by: number;
}

/** Answers a request of a piece of work in place of the service, which does what it is asked when it is called. */
export type Between = (
  request: SentRequest,
  by: number,
  serve: (request: SentRequest) => Promise<WireResponse>,
) => Promise<WireResponse>;

/** A service of its own, with a referee who sees everything that is made. */
export interface Service {
  readonly keys: { readonly partner: string; readonly shop: string; readonly shopKey: string };
  readonly shop: { readonly id: string; readonly name: string };
  readonly parents: Parents;
  readonly made: Made[];
  /** Every change of a record, in the order in which they were made. */
  readonly changed: Changed[];
  /** Contents whose requests had no answer, each time that this befell one; and what was refused for nothing. */
  readonly lost: string[];
  readonly refused: string[];
  /** How often it said that a name is taken: one that shopctl made, or one that the caller gave. */
  readonly clashes: { derived: number; given: number };
  /** Contents whose request arrived twice. */
  readonly doubled: Set<string>;
  /** How often each thing befell a create, or somebody's late copy of one. */
  readonly befell: ReadonlyMap<string, number>;
  /** Pieces of work that are interrupted when they have their next answer. */
  readonly interrupts: Set<number>;
  /** What befalls the nth create; counted from the beginning. */
  readonly faults: Map<number, Misfortune>;
  readonly cutsNotes: boolean;
  readonly keepsNamesUnique: boolean;
  /** What stands between the service and whoever asks it. */
  readonly wire: { between: Between | undefined };
  answer(request: SentRequest, by: number): Promise<WireResponse>;
  /** A copy of a request arrives that nobody waits for any more. */
  deliverLate(): Promise<void>;
  keepLate(request: SentRequest, by: number): void;
  /** Whether a copy of a request may still arrive. */
  hasLate(): boolean;
  /** A record as the service shows it; empty if there is none. */
  shown(kind: Kind, id: string): Promise<Readonly<Record<string, unknown>>>;
  /** The ids of the records that are there now, by the service's own word. */
  live(kind: Kind): Promise<ReadonlySet<string>>;
  close(): Promise<void>;
}

const origin = 'http://127.0.0.1:4010';
/** A piece of work that is refused so often has tried often enough. */
const MOST_ATTEMPTS = 8;
const closed = () => new TransportError('closed', 'maybe', 'the connection was closed');
const refusal = (status: number, code: string, meta = {}): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ code, msg: code, meta }),
});

/** The kind that a request creates. */
export function createdBy(url: string): Kind | undefined {
  return kinds.find(({ creates }) => creates.test(url));
}

const lists: Readonly<Record<string, string>> = {
  order: 'shop.Order/ListOrders',
  customer: 'shop.Customer/ListCustomers',
  product: 'shop.Product/ListProducts',
  variant: 'shop.Variant/ListVariants',
  collection: 'shop.ProductCollection/ListCollections',
  group: 'shop.CustomerGroup/ListGroups',
};

export async function openService(
  seed: string,
  now: () => number,
  {
    cutsNotes = false,
    keepsNamesUnique = true,
  }: { readonly cutsNotes?: boolean; readonly keepsNamesUnique?: boolean } = {},
): Promise<Service> {
  const clock = { now, wait: async () => {} };
  const core = await openCore({
    data: undefined,
    clock,
    random: fixedRandom(`service ${seed}`),
    allowedHosts: new Set(),
  });
  const sandbox = await serveCore(core, {
    seed: 'none',
    deliver: undefined,
    onInternalError: (error) => console.error(error),
  });
  const { partner, shops } = await sandbox.control.credentials();
  const [shop] = shops;
  if (shop === undefined) throw new Error('the sandbox has no demo shops');
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const post = async (operation: string, body: object, key: string): Promise<any> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    const answer = await sandbox.handle({
      method: 'POST',
      url: `${origin}/v1/${operation}`,
      headers,
      body: JSON.stringify(body),
    });
    return JSON.parse(answer.body);
  };
  const asked = await post('partner.Shop/AuthorizeShop', {}, partner.api_key);
  await sandbox.control.signIn(asked.auth_token, shop.id);
  const granted = await post('partner.Shop/AuthorizeShop', { shop_id: shop.id }, partner.api_key);
  const customer = await post('shop.Customer/CreateCustomer', { full_name: 'Mẹ', phone: '0900000001' }, shop.api_key);
  const product = await post('shop.Product/CreateProduct', { name: 'Gốc' }, shop.api_key);
  const priced = await post('shop.Shipnow/GetShipnowServices', delivery, shop.api_key);
  const [{ code, fee }] = priced.services;
  const order = { ...quoted, shipping_address: place };
  const offers: { code: string; fee: number }[] = (await post('shop.Shipping/GetShippingServices', order, shop.api_key))
    .services;
  const [cheapest] = offers.sort((one, other) => one.fee - other.fee);
  if (cheapest === undefined) throw new Error('nobody ships the orders');

  const made: Made[] = [];
  const changed: Changed[] = [];
  const lost: string[] = [];
  const refused: string[] = [];
  const doubled = new Set<string>();
  const clashes = { derived: 0, given: 0 };
  const faults = new Map<number, Misfortune>();
  const interrupts = new Set<number>();
  /** How often more a content cannot be connected for. */
  const unconnected = new Map<string, number>();
  const late: (() => Promise<unknown>)[] = [];
  const befell = new Map<string, number>();
  const befalls = (what: string) => befell.set(what, (befell.get(what) ?? 0) + 1);
  let creates = 0;

  const given = new Map<string, number>();
  /** A service that lets two live orders have one name: it finds the latest by it. */
  async function withoutUnique(request: SentRequest): Promise<WireResponse> {
    const body = JSON.parse(request.body);
    const name = body.external_id;
    if (typeof name === 'string' && name !== '' && /Order$/.test(request.url)) {
      const isCreate = createdBy(request.url) !== undefined;
      if (isCreate) given.set(name, (given.get(name) ?? 0) + 1);
      if (given.has(name)) body.external_id = `${name}_of_${given.get(name)}`;
    }
    const answer = await sandbox.handle({ ...request, body: JSON.stringify(body) });
    return { ...answer, body: answer.body.replaceAll(/_of_\d+(?=")/g, '') };
  }

  async function apply(request: SentRequest, by: number, how: 'copied' | 'late' | '' = ''): Promise<WireResponse> {
    const kind = createdBy(request.url);
    const preference = kind && wishIn(request.body);
    if (kind !== undefined && request.body.includes(REFUSED))
      return refusal(400, 'invalid_argument', { field: 'note' });
    const answer = await (keepsNamesUnique ? sandbox.handle(request) : withoutUnique(request));
    const changes = kinds.find(({ reads }) => request.url.endsWith(reads.replace('Get', 'Update')))?.changes;
    if (changes !== undefined && answer.status === 200) {
      const { id, [changes.field]: value = '' } = JSON.parse(request.body);
      changed.push({ id, value, by });
    }
    if (kind !== undefined && answer.status === 409)
      clashes[/"external_id":"shopctl-/.test(request.body) ? 'derived' : 'given'] += 1;
    if (kind !== undefined && preference !== undefined && answer.status === 200) {
      const body = JSON.parse(answer.body);
      const record = body.order ?? body;
      const name = String(JSON.parse(request.body).external_id ?? '');
      const { id } = record;
      const shipping_fee = Number(record.shipping?.shipping_service_fee ?? 0);
      made.push({
        kind,
        id,
        ...preference,
        name,
        by,
        copied: how === 'copied',
        late: how === 'late',
        phone: /09\d{8}/.exec(request.body)?.[0] ?? '',
        fee: shipping_fee,
      });
    }
    return cutsNotes ? { ...answer, body: answer.body.replaceAll(LONG, LONG.slice(0, 30)) } : answer;
  }

  const wire: Service['wire'] = { between: undefined };
  return {
    wire,
    keys: { partner: partner.api_key, shop: shop.api_key, shopKey: granted.auth_token },
    shop,
    parents: { customer: customer.id, product: product.id, shipnow: { code, fee }, shipping: cheapest },
    made,
    changed,
    lost,
    refused,
    doubled,
    clashes,
    faults,
    interrupts,
    befell,
    cutsNotes,
    keepsNamesUnique,
    async answer(request, by) {
      if (wire.between !== undefined) return wire.between(request, by, (served) => apply(served, by));
      const kind = createdBy(request.url);
      const preference = kind && wishIn(request.body);
      if (kind === undefined || preference === undefined) return apply(request, by);
      const left = unconnected.get(preference.content) ?? 0;
      if (left > 0) {
        unconnected.set(preference.content, left - 1);
        throw new TransportError('refused', 'no', 'nobody listens');
      }
      creates += 1;
      const fault = faults.get(creates);
      // Where no name is unique, nobody could tell these from what they look like.
      const isFair = kind.isOrder || !['doubled', 'false-409'].includes(fault ?? '');
      if (fault === undefined || !isFair) return apply(request, by);
      befalls(fault);
      if (fault !== 'refused-once') lost.push(preference.content);
      switch (fault) {
        case 'drop-after':
          await apply(request, by);
          throw closed();
        case 'doubled': {
          doubled.add(preference.content);
          await apply(request, by);
          return apply(request, by, 'copied');
        }
        case 'unavailable-after':
          await apply(request, by);
          return refusal(503, 'unavailable');
        case 'throttled-after':
          await apply(request, by);
          return refusal(429, 'resource_exhausted');
        case 'throttled-then-refused':
          await apply(request, by);
          unconnected.set(preference.content, MOST_ATTEMPTS);
          return refusal(429, 'resource_exhausted');
        case 'throttled-then-interrupted':
          await apply(request, by);
          interrupts.add(by);
          return refusal(429, 'resource_exhausted');
        case 'unreadable-409':
          await apply(request, by);
          return { status: 409, headers: { 'content-type': 'text/html' }, body: '<h1>Conflict</h1>' };
        case 'aborted-after':
          await apply(request, by);
          return refusal(409, 'aborted');
        case 'refused-once':
          refused.push(preference.content);
          return refusal(412, 'failed_precondition');
        case 'false-409':
          refused.push(preference.content);
          return refusal(409, 'already_exists', { duplicated: 'external_id' });
        case 'late':
          late.push(() => apply(request, by, 'late'));
          throw closed();
        default:
          throw closed();
      }
    },
    async deliverLate() {
      for (const deliver of late.splice(0)) {
        befalls('delivered late');
        await deliver();
      }
    },
    hasLate: () => late.length > 0,
    keepLate(request, by) {
      late.push(() => apply(request, by, 'late'));
    },
    shown: (kind, id) => post(kind.reads, { id }, shop.api_key),
    async live(kind) {
      const ids = new Set<string>();
      const list = lists[kind.resource];
      const alive = ({ status, shipping_state, deleted }: Record<string, unknown>) =>
        !(kind.isOrder && status === 'N') && shipping_state !== 'cancelled' && status !== 'N' && deleted !== true;
      if (list === undefined) {
        for (const { id } of made) {
          const record = await post(kind.reads, { id }, shop.api_key);
          if (record.id !== undefined && alive(record)) ids.add(id);
        }
        return ids;
      }
      for (let after = '.'; ; ) {
        const body = await post(list, { paging: { after, limit: 100 } }, shop.api_key);
        const [records] = Object.values(body).filter((value) => Array.isArray(value)) as Record<string, unknown>[][];
        for (const record of records ?? []) if (alive(record)) ids.add(String(record.id));
        if ((records ?? []).length === 0 || !body.paging?.next) break;
        after = body.paging.next;
      }
      return ids;
    },
    close: () => sandbox.close(),
  };
}
