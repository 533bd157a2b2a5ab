import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { type Account, accountOf } from '../../client/account.ts';
import { Refusal } from '../../client/refusal.ts';
import { record, text } from '../../contract/schema/scalars.ts';
import { placeToOpen, workspacePlace } from '../../ledger/open.ts';
import { requireAllShops, shopAskedFor } from '../../settings/keys.ts';
import { isPostgresAddress, withoutPassword } from '../../store/postgres-address.ts';
import type { Mirror } from '../store/mirror.ts';
import type { MirrorOptions } from '../store/open-mirror.ts';
import { say } from '../texts.ts';

/** The address of the service in force as an origin. Throws a Refusal if there is none. */
export function originInForce({ settings }: Pick<Ports, 'settings'>): string {
  const address = settings.baseUrl?.value;
  if (address !== undefined && URL.canParse(address)) return new URL(address).origin;
  throw new Refusal('base_url_missing', say().place.noService, {
    kind: 'configuration',
  });
}

/**
 * Where the mirror of the service in force is: a file for each service, or the database of the workspace if that is on
 * a server.
 */
export function mirrorPlace(ports: Pick<Ports, 'places' | 'settings'>): string {
  const { places, settings } = ports;
  if (settings.workspace !== undefined && isPostgresAddress(settings.workspace.value)) return workspacePlace(ports);
  const { protocol, host } = new URL(originInForce(ports));
  const name = encodeURIComponent(`${protocol.replace(':', '')}_${host.replaceAll(':', '_')}`);
  return join(places.state, 'mirrors', `${name}.db`);
}

/** Refuses what reads a mirror where there is none: no rows would look like a shop without records. Throws a Refusal. */
export function requireMirror(
  ports: Pick<Ports, 'places' | 'settings'>,
  reading: 'ask' | 'compare' | 'export' | 'report',
): void {
  const place = mirrorPlace(ports);
  if (isPostgresAddress(place) || existsSync(place)) return;
  const message = say().nothingTo({ reading });
  throw new Refusal('mirror_missing', message, { kind: 'missing' });
}

/**
 * Refuses what concerns the whole mirror if one shop is asked for and there are others in it: their records would be
 * among those that are read, written or deleted. Throws a Refusal.
 */
export async function requireNoOtherShop(ports: Pick<Ports, 'places' | 'settings' | 'waiting'>): Promise<void> {
  const asked = shopAskedFor(ports.settings);
  if (asked === undefined || ports.settings.shop?.origin !== 'flag') return;
  const place = mirrorPlace(ports);
  const { areaStates, mirrorExists, openMirror } = await import('../index.ts');
  if (!mirrorExists(place)) return;
  const mirror = await openMirror(place, originInForce(ports), { waiting: ports.waiting });
  try {
    if ((await areaStates(mirror)).every(({ shop_id }) => shop_id === asked)) return;
  } finally {
    await mirror.close();
  }
  requireAllShops(say().place.severalShops, ports.settings);
}

/** A mirror in use, and the shop that is asked about. */
export interface AtMirror {
  readonly mirror: Mirror;
  readonly shopId: string;
}

/** Refuses what lists the shop, unless its own key is in force. Throws a Refusal. */
export function requireOwnKey({ connection }: Pick<Ports, 'connection'>): void {
  if (connection().key('shop-api-key') !== undefined) return;
  throw new Refusal('mirror_needs_shop_key', say().place.needsOwnKey, {
    kind: 'credential',
  });
}

/**
 * The account that a mirror is a copy of: a shop by its own key, or as a partner reaches it. Throws a Refusal if there is
 * no key, and a CallError.
 */
export async function mirroredAccount(ports: Pick<Ports, 'connection'>): Promise<Account> {
  const connection = ports.connection();
  const ofPartner = ['shop-key', 'partner-api-key'] as const;
  const isPartner =
    connection.key('shop-api-key') === undefined && ofPartner.some((name) => connection.key(name) !== undefined);
  if (!isPartner) requireOwnKey(ports);
  return accountOf(isPartner ? 'partner' : 'shop', connection);
}

/** The id of the shop that is mirrored. Throws as `mirroredAccount` does. */
export const shopInForce = async (ports: Pick<Ports, 'connection'>): Promise<string> =>
  (await mirroredAccount(ports)).shop;

/** Opens the mirror of the service in force for some work. Throws a Refusal, a WorkspaceError or a CallError. */
export async function atMirror<Result>(
  ports: Ports,
  work: (at: AtMirror) => Promise<Result>,
  options: MirrorOptions = {},
): Promise<Result> {
  const shopId = await shopInForce(ports);
  const { openMirror } = await import('../index.ts');
  const mirror = await openMirror(await placeToOpen(mirrorPlace(ports), ports), originInForce(ports), {
    ...options,
    waiting: ports.waiting,
  });
  try {
    return await work({ mirror, shopId });
  } finally {
    await mirror.close();
  }
}

/** `mirror path`. */
export const mirrorPathAction = action({
  id: 'mirror.path',
  words: ['mirror', 'path'],
  summary: 'Print where the mirror is',
  description:
    'Other programs can open it while it is written: sqlite3, DuckDB, a BI tool. On a server it is the schema `mirror` of that database.',
  examples: ['shopctl mirror path'],
  effect: 'read',
  needs: [],
  input: record({}),
  output: record({ path: text('The file, or the address of the database without its password') }),
  view: { columns: [{ path: 'path' }], name: 'path', text: 'path' },
  run: (_, ports) => {
    const place = mirrorPlace(ports);
    return { path: isPostgresAddress(place) ? withoutPassword(place) : place };
  },
});

/** The time zone in which the mirror counts days. */
export const rollupZone = ({ settings }: Pick<Ports, 'settings'>): string => settings.tz.value;
