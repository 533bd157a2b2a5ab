import { type Account, addressOf } from '../../client/account.ts';
import { call } from '../../client/call.ts';
import type { Connection } from '../../client/connection.ts';
import { ContractBrokenError, RedirectError, ServiceError } from '../../client/errors.ts';
import { VersionInfo } from '../../contract/shop/misc.ts';
import { isLoopbackHost } from '../../platform/server/loopback-server.ts';
import { WorkspaceError } from '../../store/workspace.ts';
import { LedgerRefusal } from '../errors.ts';
import type { LedgerStore } from '../store/intents.ts';
import { addressesKnown, type KnownAddress, keepAddress, separateFrom } from '../store/services.ts';
import { say } from '../texts.ts';

/** Which service an account is at. */
export interface KnownService {
  /** The account by the service's name, which may be that of another one of its addresses. */
  readonly account: Account;
  /** Stores its address, before the first write there. Throws a WorkspaceError. */
  keep(): Promise<void>;
}

/** Whether both addresses say which sandbox they are, and are two. */
const areTwo = (one: KnownAddress, other: KnownAddress) =>
  one.instance !== '' && other.instance !== '' && one.instance !== other.instance;

/** The name of the service at an address, by what is known of that address, and of that sandbox at others. */
function nameOf(origin: string, instance: string, known: readonly KnownAddress[]): string {
  const moved = instance === '' ? undefined : known.find((one) => one.instance === instance);
  const here = known.filter((one) => one.origin === origin);
  const same = moved ?? here.find((one) => one.instance === instance);
  if (same !== undefined) return same.service;
  const blank = here.find((one) => one.instance === '');
  const isOfOther = here.some((one) => one.instance !== '' && one.service === (blank?.service ?? origin));
  // Another sandbox at the port of an earlier one.
  return isOfOther ? `${origin}#${instance.slice(0, 8)}` : (blank?.service ?? origin);
}

const isHere = (origin: string) => isLoopbackHost(new URL(origin).hostname);

/** Whether a call was answered, by whatever. */
const isAnswered = (error: unknown) =>
  error instanceof ServiceError || error instanceof ContractBrokenError || error instanceof RedirectError;

/**
 * The instance of the sandbox at an address of this machine; empty if something answers there that does not tell one.
 * Throws a CallError where nothing answers: nothing is sent to what cannot be asked.
 */
async function askedFor({ origin, family }: Account, connection: Connection | undefined): Promise<string> {
  // A sandbox listens on this machine alone, and tells its instance to a shop's own key.
  if (connection === undefined || family !== 'shop' || !isHere(origin)) return '';
  const { drift: _, ...quiet } = connection;
  try {
    const { meta } = await call(VersionInfo, {}, quiet);
    return meta?.instance ?? '';
  } catch (error) {
    if (isAnswered(error)) return '';
    throw error;
  }
}

/** Refuses an address of a shop that is known at another one, unless it is known whether the two are one service. */
async function requireReported(store: Pick<LedgerStore, 'read'>, own: KnownAddress, known: readonly KnownAddress[]) {
  const others = known.filter((one) => one.shop === own.shop && one.service !== own.service && !areTwo(one, own));
  if (own.shop === '' || others.length === 0) return;
  const separate = await store.read((sql) => separateFrom(sql, own.service));
  const other = others.find(({ service }) => !separate.has(service));
  if (other === undefined) return;
  const { shop, origin } = own;
  const message = say().refused.otherAddress({ shop, known: other.origin, origin });
  throw new LedgerRefusal('other_address', message, { known: other.origin, address: origin });
}

type Dialled = Pick<Connection, 'baseUrl' | 'instance' | 'clock'>;

/** What is known of an address: as what it is written to, and everything that may be the same service. */
async function lookAt(
  { read }: Pick<LedgerStore, 'read'>,
  account: Account,
  { baseUrl, instance: reported }: Dialled,
  asking?: Connection,
) {
  const [origin, { shop }] = [addressOf(baseUrl), account];
  const look = (instance: string) => read((sql) => addressesKnown(sql, { origin, shop, instance }));
  let known = await look(reported ?? '');
  const here = known.find((one) => one.origin === origin && (reported === undefined || one.instance === reported));
  const instance = reported ?? here?.instance ?? (await askedFor({ ...account, origin }, asking));
  if (reported === undefined && instance !== '') known = await look(instance);
  const own: KnownAddress = { origin, shop, instance, service: nameOf(origin, instance, known) };
  return { known, own, isUnknown: here === undefined && instance === '' };
}

/** An account by the name that the ledger has for its service; as it is where that is not known. Throws a WorkspaceError. */
export async function accountKnown(
  store: Pick<LedgerStore, 'read'>,
  account: Account,
  dialled: Dialled,
): Promise<Account> {
  const { own } = await lookAt(store, account, dialled);
  return { ...account, origin: own.service };
}

/**
 * Which service an account is at, by the ledger. A new address is asked once which sandbox it is, over `asking`; without
 * that, what is not known is left open. Throws a LedgerRefusal (`other_address`) for a second address of a shop of which
 * nobody has said whether it is the same service, a CallError, and a WorkspaceError (`workspace_busy` while two are joined).
 */
export async function serviceOf(
  store: Pick<LedgerStore, 'read' | 'write'>,
  account: Account,
  dialled: Dialled,
  asking?: Connection,
): Promise<KnownService> {
  const { own, known, isUnknown } = await lookAt(store, account, dialled, asking);
  if (known.some(({ origin }) => origin === '')) {
    const { joining, joiningHint: hint } = say().refused;
    throw new WorkspaceError('workspace_busy', joining, { hint });
  }
  if (!(isUnknown && asking === undefined && isHere(own.origin))) await requireReported(store, own, known);
  const latest = known.find((one) => one.origin === own.origin && one.shop === own.shop);
  return {
    account: { ...account, origin: own.service },
    async keep() {
      if (latest?.instance !== own.instance) await store.write((sql) => keepAddress(sql, own, dialled.clock.now()));
    },
  };
}
