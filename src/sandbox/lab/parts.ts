import { parseDuration, parseMoment } from '../../domain/calendar.ts';
import { foldedName } from '../../domain/places/place-name.ts';
import { type ClockSetting, storeClock, wireTime } from '../engine/business-clock.ts';
import type { Work } from '../engine/call.ts';
import type { Core } from '../engine/core.ts';
import type { Layer, Part } from '../engine/part.ts';
import { invalid, Refusal } from '../engine/refusal.ts';
import { createSchedule, type Schedule } from '../engine/schedule.ts';
import { createTurns } from '../engine/store/group-commit.ts';
import { statement, tables } from '../engine/store/statement.ts';
import { allKeys, apiKey, signIn, unlink } from '../service/accounts.ts';
import { type ShipmentControl, shipmentPart } from '../service/shipments/shipment-part.ts';
import { withShopId } from '../service/sign-in-offer.ts';
import type { Deliver } from '../service/webhooks/deliver.ts';
import { type DeliveryControl, webhookPart } from '../service/webhooks/webhook-part.ts';
import { type FaultControl, faultPart } from './fault-part.ts';
import { type LogControl, logPart } from './log-part.ts';
import { type SnapshotControl, snapshotPart } from './snapshot-part.ts';

/** The state of the business clock. */
export interface ClockStatus {
  /** `real`: equal to the machine's clock; `moved`: offset from it, at the same speed; `frozen`: stopped. */
  readonly mode: ClockSetting['mode'];
  readonly time: string;
  readonly machine_time: string;
  /** When the next scheduled thing, such as a delivery, is due; null if nothing is pending. */
  readonly next_due: string | null;
}

/**
 * Controls the business clock, which determines deliveries, expiry and shipments, but never a timeout. Its setting is
 * stored in the data, so that a restarted sandbox continues with it. Each function returns the resulting state.
 */
export interface BusinessClockControl {
  status(): Promise<ClockStatus>;
  /** Stops it at the current time. */
  freeze(): Promise<ClockStatus>;
  /** Sets it to a time like `2026-02-01T08:00:00Z`; a frozen clock stays frozen. Refuses other texts with 400. */
  set(time: string): Promise<ClockStatus>;
  /**
   * Advances it by a duration like `44h1m`. With `untilIdle`, it goes from one due moment to the next and waits at each
   * until everything is done, including retries of failures; otherwise it jumps at once.
   */
  advance(by: string, options?: { readonly untilIdle?: boolean }): Promise<ClockStatus>;
  /** Makes it follow the machine's clock again. */
  real(): Promise<ClockStatus>;
}

/** Operations on the time. */
export interface ClockControl {
  readonly clock: BusinessClockControl;
}

/** The last moment that the wire's time format can represent. */
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59Z');

/** The part for the business clock. Operations that move it wait for each other. */
export function clockPart(core: Core, schedule: Schedule): Part<ClockControl> {
  const { clock, machineClock } = core;
  const inTurn = createTurns();

  const status = async (): Promise<ClockStatus> => {
    const next = await schedule.next();
    return {
      mode: clock.setting().mode,
      time: wireTime(clock.now()),
      machine_time: wireTime(machineClock.now()),
      next_due: next === undefined ? null : wireTime(Math.max(next, clock.now())),
    };
  };
  const keep = (setting: ClockSetting) => core.write(({ database }) => storeClock(database, setting));
  const change = async (setting: ClockSetting) => {
    await keep(setting);
    clock.set(setting);
  };
  const runningFrom = (moment: number): ClockSetting => ({ mode: 'moved', ahead_ms: moment - machineClock.now() });
  const frozenAt = (moment: number): ClockSetting => ({ mode: 'frozen', at_ms: moment });
  /** The current mode, from another moment on. */
  const goingFrom = (moment: number) => (clock.setting().mode === 'frozen' ? frozenAt(moment) : runningFrom(moment));

  /** Holds the clock at each due moment on the way; stores a running clock, in case the sandbox is killed meanwhile. */
  const walkTo = async (target: number) => {
    const frozen = clock.setting().mode === 'frozen';
    const hold = async (moment: number) => {
      clock.set(frozenAt(moment));
      await keep(frozen ? frozenAt(moment) : runningFrom(moment));
      await schedule.settle();
    };
    try {
      await hold(clock.now());
      for (let next = await schedule.next(); next !== undefined && next <= target; next = await schedule.next()) {
        await hold(Math.max(next, clock.now()));
      }
      await hold(target);
    } finally {
      if (!frozen) clock.set(runningFrom(clock.now()));
    }
    if (!frozen) await keep(clock.setting());
  };

  return {
    control: {
      clock: {
        status,
        freeze: () => inTurn(() => change(frozenAt(clock.now()))).then(status),
        set: (time) => inTurn(async () => change(goingFrom(momentOf(time)))).then(status),
        advance: (by, { untilIdle = false } = {}) =>
          inTurn(async () => {
            const target = inRange('by', clock.now() + durationOf(by));
            await (untilIdle ? walkTo(target) : change(goingFrom(target)));
          }).then(status),
        real: () => inTurn(() => change({ mode: 'real' })).then(status),
      },
    },
  };
}

function durationOf(text: string): number {
  const duration = parseDuration(text);
  if (duration === undefined) throw invalid('by', 'must be a duration like 30s, 15m, 44h1m or 2d');
  return duration;
}

function momentOf(text: string): number {
  const moment = parseMoment(text);
  if (moment === undefined) throw invalid('time', 'must be a time with its zone, like 2026-02-01T08:00:00Z, or a day');
  return inRange('time', moment);
}

function inRange(field: string, moment: number): number {
  if (moment < 0 || moment > LAST_MOMENT) throw invalid(field, 'leads out of the years 1970 to 9999');
  return moment;
}

/** The API keys of the sandbox's accounts. */
interface Credentials {
  readonly partner: { readonly id: string; readonly api_key: string };
  /** All partners, if a seed file created several. */
  readonly partners?: readonly { readonly id: string; readonly name: string; readonly api_key: string }[];
  readonly shops: readonly { readonly id: string; readonly name: string; readonly api_key: string }[];
}

/** The result of a sign-in. */
interface SignedIn {
  readonly shop_id: string;
  /**
   * The url that the page redirects to, with shop_id in its query; absent if AuthorizeShop was given no redirect_url.
   */
  readonly redirect_url?: string;
}

/** Operations on the accounts from outside the service. */
interface AccountControl {
  /** The demo partner's and the demo shops' API keys. */
  credentials(): Promise<Credentials>;
  /** Signs a shop, named by id or name, in with a request token, as its owner would in the sign-in component (decisions, section 3). */
  signIn(token: string, shop: string): Promise<SignedIn>;
  /** Removes the shop's links with its partners, which revokes their shop keys. Returns how many there were. */
  unlink(shop: string): Promise<{ readonly removed: number }>;
}

/** The part for accounts. */
function accountPart(core: Core): Part<AccountControl> {
  return {
    control: {
      credentials: async () => core.read(readCredentials),
      signIn: (token, shop) =>
        core.write((work) => {
          const shopId = meantShop(work, shop);
          const { redirect_url } = signIn(work, tokenIn(token), shopId);
          return { shop_id: shopId, ...(redirect_url ? { redirect_url: withShopId(redirect_url, shopId) } : {}) };
        }),
      unlink: (shop) => core.write((work) => ({ removed: unlink(work, meantShop(work, shop)) })),
    },
  };
}

/** The id of a shop that is named by its id or its name; refuses with 404 one that is not there, and names those that are. */
function meantShop({ database }: Work, shop: string): string {
  const shops = database.all(allShops, {});
  const found = shops.filter(({ id, name }) => id === shop || foldedName(name) === foldedName(shop));
  if (found.length === 1 && found[0] !== undefined) return found[0].id;
  const names = shops.map(({ id, name }) => `${name} (${id})`).join(', ');
  throw new Refusal('not_found', `the sandbox has no shop ${shop}; its shops are ${names}`);
}

/** The request token in a copied text: the token itself, url-encoded, or in the address of its sign-in page. */
function tokenIn(copied: string): string {
  const text = copied.trim();
  const inAddress = URL.canParse(text) ? new URL(text).searchParams.get('auth_token') : null;
  return inAddress ?? text.replace(/^request%3A/i, 'request:');
}

const allPartners = statement(() => tables.selectFrom('partners').select(['id', 'name']).orderBy('id'));
const allShops = statement(() => tables.selectFrom('shops').select(['id', 'name']).orderBy('id'));

function readCredentials({ database }: Work): Credentials {
  const keys = database.all(allKeys, {});
  const partners = database.all(allPartners, {});
  const shops = database.all(allShops, {});
  const keyOf = (id: string) => apiKey(id, keys.find(({ owner_id }) => owner_id === id)?.secret ?? '');
  const [partner] = partners;
  if (partner === undefined) throw new Error('the sandbox has no partner');
  return {
    partner: { id: partner.id, api_key: keyOf(partner.id) },
    ...(partners.length > 1 ? { partners: partners.map(({ id, name }) => ({ id, name, api_key: keyOf(id) })) } : {}),
    shops: shops.map(({ id, name }) => ({ id, name, api_key: keyOf(id) })),
  };
}

/** What the service's operator, a shop's owner or a carrier would do; each part is in its own file. */
export interface Control
  extends AccountControl,
    ClockControl,
    DeliveryControl,
    FaultControl,
    LogControl,
    ShipmentControl,
    SnapshotControl {}

/** The parts of one open sandbox. */
export interface Parts {
  readonly control: Control;
  /** Outermost first. */
  readonly layers: readonly Layer[];
  /** Ends all mere waiting. */
  interrupt(): void;
  close(): Promise<void>;
}

/** Options for opening the parts; see `SandboxOptions`. */
export interface PartsOptions {
  readonly deliver?: Deliver | undefined;
  /** Called with errors of background work. */
  readonly onInternalError?: ((error: unknown) => void) | undefined;
}

/** Opens every part. Add a new one to `Control` and to this function, which also determines the order of the layers. */
export async function openParts(core: Core, { deliver, onInternalError }: PartsOptions = {}): Promise<Parts> {
  const schedule = createSchedule(core.clock, onInternalError);
  const accounts = accountPart(core);
  const clock = clockPart(core, schedule);
  const shipments = shipmentPart(core, schedule);
  const webhooks = await webhookPart(core, schedule, deliver);

  const snapshots = snapshotPart(core);
  const log = logPart(core);
  const faults = faultPart(core.machineClock);

  const parts: readonly Part<object>[] = [log, faults, accounts, clock, shipments, webhooks, snapshots];
  schedule.start();
  return {
    control: {
      ...log.control,
      ...faults.control,
      ...accounts.control,
      ...clock.control,
      ...shipments.control,
      ...snapshots.control,
      ...webhooks.control,
    },
    layers: parts.flatMap(({ layer }) => layer ?? []),
    interrupt() {
      for (const part of parts) part.interrupt?.();
    },
    async close() {
      await schedule.close();
      for (const part of parts.toReversed()) await part.close?.();
    },
  };
}
