import { join } from 'node:path';
import { storedProfile } from '../../account/actions/profile-keys.ts';
import type { RunningSandbox, Sandboxes, SandboxStart } from '../../action/ports.ts';
import { addressOf } from '../../client/account.ts';
import { fieldsIn, readFields } from '../../domain/json/values.ts';
import { acquireLock, LockError } from '../../platform/files/file-lock.ts';
import { makePrivateDirectory } from '../../platform/files/files.ts';
import { createInFlight, withinLimits } from '../../platform/http/in-flight.ts';
import type { Transport } from '../../platform/http/transport.ts';
import type { Settings, StoredProfile } from '../../platform/settings/settings.ts';
import { makeSafe } from '../../platform/terminal/text-safety.ts';
import { nameOfShop } from '../../settings/shop-names.ts';
import type { Context } from '../context.ts';
import { shellWord } from '../errors/advice.ts';
import { say } from '../errors/texts.ts';
import { BusyError, ConfigurationError, dataInUse, portTaken, UsageError } from '../errors/usage-error.ts';
import { addressOfProfile } from '../session/running-consoles.ts';
import type { Session } from '../session/session.ts';
import { startDetached, stopSandbox } from './detach.ts';
import { besideRunning, loadSandbox, meantSandbox, profileNames, refuseRunning, runningState } from './running.ts';

/**
 * A transport that asks the sandbox of this process without a connection, which takes about half of what a page of a list
 * costs: operations called at `origin` go to `handle`, everything else to `other`.
 */
export function directTransport(origin: string, handle: Transport, other: Transport): Transport {
  const inFlight = createInFlight();
  return (request) =>
    request.url.startsWith(`${origin}/v1/`) ? withinLimits(inFlight, request, () => handle(request)) : other(request);
}

/** What is saved about a running sandbox. */
interface Connected {
  readonly name: string;
  readonly baseUrl: string;
  /** What its profiles say of it. */
  readonly origin: Pick<StoredProfile, 'sandbox' | 'sandbox_flags' | 'sandbox_instance'>;
  readonly partnerKey: string;
  /** Its first shop, whose own key is saved. */
  readonly shop: { readonly id: string; readonly name: string; readonly api_key: string } | undefined;
  /** The names of its shops by id. */
  readonly shopNames: Readonly<Record<string, string>>;
  /** The shop that is signed in through the partner. */
  readonly signedIn: { readonly id: string; readonly name: string; readonly shop_key: string } | undefined;
}

/** The profile to save; signed-in shops are kept as long as the account is the same. */
function partnerProfile(
  stored: StoredProfile | undefined,
  { origin, baseUrl, partnerKey, shopNames, signedIn }: Connected,
): StoredProfile {
  const account = { kind: 'partner', base_url: baseUrl, api_key: partnerKey } as const;
  const fresh: StoredProfile = { ...account, shop_names: shopNames, ...origin };
  const { sandbox_flags: _, ...before } = stored?.api_key === partnerKey ? stored : fresh;
  const kept = { ...before, ...fresh };
  if (signedIn === undefined) return kept;
  const { id, name, shop_key } = signedIn;
  return { ...kept, shops: { ...kept.shops, [id]: { name, shop_key } }, current_shop: id };
}

/** The names of the shops whose sign-ins a new account ends. */
function droppedShops(stored: StoredProfile | undefined, { partnerKey }: Connected): readonly string[] {
  if (stored === undefined || stored.api_key === partnerKey) return [];
  return Object.keys(stored.shops ?? {}).map((id) => nameOfShop(stored, id) ?? id);
}

/** A profile for a service elsewhere belongs to the user, whatever its name: a sandbox never overwrites it. */
function refuseForeign(settings: Settings, names: readonly string[]): void {
  for (const name of names) {
    const profile = settings.profiles[name];
    if (profile === undefined || /^http:\/\/(?:127\.|localhost[:/]|\[::1\])/.test(`${profile.base_url}/`)) continue;
    throw new ConfigurationError(
      say().sandbox.foreignProfile({ profile: JSON.stringify(name), at: profile.base_url }),
      say().sandbox.otherName,
    );
  }
}

function shopProfile(
  { origin, baseUrl }: Connected,
  { id, name, api_key }: NonNullable<Connected['shop']>,
): StoredProfile {
  return { kind: 'shop', base_url: baseUrl, api_key, shop_names: { [id]: name }, ...origin };
}

/** Profiles of an earlier sandbox at this port lead to this one now. */
function withInstance(profiles: Settings['profiles'], { baseUrl, origin }: Connected): Settings['profiles'] {
  const isThere = (url: string) => URL.canParse(url) && addressOf(url) === addressOf(baseUrl);
  const { sandbox_instance } = origin;
  return Object.fromEntries(
    Object.entries(profiles).map(([name, profile]) => {
      const isOld = profile.sandbox_instance !== undefined && isThere(profile.base_url);
      return [name, isOld && sandbox_instance !== undefined ? { ...profile, sandbox_instance } : profile];
    }),
  );
}

function withProfiles(settings: Settings, connected: Connected): Settings {
  const { name, shop } = connected;
  const names = profileNames(name);
  refuseForeign(settings, [names.partner, names.shop]);
  const profiles = withInstance(settings.profiles, connected);
  return {
    ...settings,
    current_profile: settings.current_profile ?? names.partner,
    profiles: {
      ...profiles,
      [names.partner]: partnerProfile(profiles[names.partner], connected),
      ...(shop === undefined ? {} : { [names.shop]: shopProfile(connected, shop) }),
    },
  };
}

type OpenSandbox = Awaited<ReturnType<Awaited<ReturnType<typeof loadSandbox>>['openSandbox']>>;

/** Signs a shop in as its owner would, and returns the partner's key for it. */
async function signInShop(
  { control, handle }: OpenSandbox,
  baseUrl: string,
  partnerKey: string,
  shopId: string,
): Promise<string> {
  const authorize = async (body: object): Promise<string> => {
    const answer = await handle({
      method: 'POST',
      url: `${baseUrl}/v1/partner.Shop/AuthorizeShop`,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${partnerKey}` },
      body: JSON.stringify(body),
    });
    return String(readFields(answer.body).auth_token);
  };
  await control.signIn(await authorize({}), shopId);
  return authorize({ shop_id: shopId });
}

/** What is saved about a sandbox that was opened; signs its first shop in where that is asked for. */
async function connectedTo(sandbox: OpenSandbox, baseUrl: string, start: SandboxStart): Promise<Connected> {
  const { partner, shops } = await sandbox.control.credentials();
  const [shop] = shops;
  const partnerKey = partner.api_key;
  const signedIn =
    start.signedIn === true && shop !== undefined
      ? { ...shop, shop_key: await signInShop(sandbox, baseUrl, partnerKey, shop.id) }
      : undefined;
  const shopNames = Object.fromEntries(shops.map(({ id, name }) => [id, name]));
  const flags = start.flags?.map(shellWord).join(' ');
  const origin = {
    sandbox: start.name,
    sandbox_instance: sandbox.instance,
    ...(flags ? { sandbox_flags: flags } : {}),
  };
  return { name: start.name, origin, baseUrl, partnerKey, shop, shopNames, signedIn };
}

/** An error in a seed file is a usage error, with its position. */
function asSeedMistake(error: unknown): unknown {
  const { name, path, problem } = fieldsIn(error);
  if (name !== 'SeedError') return error;
  return new UsageError(say().sandbox.seed({ at: String(path), why: String(problem) }));
}

/** Codes of a disk that takes no more. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** A port or data in use is reported as such, and so is a place for its records that cannot be written. */
function asStartMistake(error: unknown, { port, data = '' }: Pick<SandboxStart, 'port' | 'data'>): unknown {
  if (!(error instanceof Error)) return error;
  const { message, name } = error;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return portTaken(port);
  if ('errno' in error && 'path' in error) {
    const said = say().sandbox.unwritten({ why: makeSafe(message) });
    const hint = say().sandbox.makeWritable;
    return new ConfigurationError(said, hint, FULL.has(String(code)) ? 'data_full' : undefined);
  }
  if (name !== 'StoreInUseError') return error;
  return dataInUse(data);
}

/** How long another start of the same name is waited for: it may have to write the records of two years. */
const START_MS = 60_000;

/** Does what only one start of a name may do at a time: two that look at once would both find that none runs. */
async function alone<Value>(
  { clock, signal }: Context,
  records: string,
  name: string,
  work: () => Promise<Value>,
): Promise<Value> {
  makePrivateDirectory(records);
  const path = join(records, `${profileNames(name).partner}.starting`);
  const lock = await acquireLock(path, { timeoutMs: START_MS, clock, signal }).catch((error: unknown) => {
    if (!(error instanceof LockError)) throw error;
    throw new BusyError(
      'already_running',
      say().sandbox.isBeingStarted({ name: JSON.stringify(name) }),
      besideRunning(name),
    );
  });
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Starts a sandbox on a port, and saves its profiles and its record. */
async function startSandbox(context: Context, stateDirectory: string, start: SandboxStart): Promise<RunningSandbox> {
  const { openSandbox, startServer, writeState, removeState } = await loadSandbox();
  const names = Object.values(profileNames(start.name));
  await refuseRunning(context, stateDirectory, start.name);
  refuseForeign(await start.store.read(), names);
  const sandbox = await openSandbox({
    data: start.data,
    seed: start.seed,
    clock: context.clock,
    allowHosts: start.allowHosts,
  }).catch((error: unknown) => {
    throw asSeedMistake(error);
  });
  const server = await startServer(sandbox, { port: start.port }).catch(async (error: unknown) => {
    await sandbox.close();
    throw error;
  });
  const state = {
    name: start.name,
    pid: context.pid,
    base_url: server.baseUrl,
    control_url: server.controlUrl,
    control_token: server.controlToken,
    data: start.data ?? null,
    started_at: server.startedAt,
    ...(start.processGoesOn === true ? { process_goes_on: true } : {}),
  };
  let dropped: readonly string[] = [];
  try {
    const connected = await connectedTo(sandbox, server.baseUrl, start);
    await start.store.update((settings) => {
      dropped = droppedShops(storedProfile(settings, profileNames(start.name).partner), connected);
      return withProfiles(settings, connected);
    });
    await writeState(stateDirectory, state);
  } catch (error) {
    await server.close();
    throw error;
  }
  return {
    transport: directTransport(server.baseUrl, sandbox.handle, context.transport),
    baseUrl: server.baseUrl,
    controlUrl: server.controlUrl,
    profiles: Object.values(profileNames(start.name)),
    dropped,
    stopRequested: server.stopRequested,
    async close() {
      await server.close();
      await removeState(stateDirectory, state);
    },
  };
}

/** The directory with the records of running sandboxes. */
function recordsIn(stateRoot: string): string {
  return join(stateRoot, 'sandboxes');
}

/** The sandboxes of this user, through the door. */
export function sandboxesOf(context: Context, session: Session): Sandboxes {
  const records = recordsIn(session.places.state);
  const { isRunning } = context.children;
  return {
    async control(name) {
      const { controlClient } = await loadSandbox();
      const { state, others } = await runningState(context, records, name, session.settings);
      return { ...controlClient(state, context.signal), name: state.name, others };
    },
    async list() {
      const { listStates } = await loadSandbox();
      const found = await listStates(records, isRunning);
      return found.map(({ state: { control_token: _, process_goes_on: __, ...state }, stale }) => ({
        ...state,
        running: !stale,
      }));
    },
    consoleOf: (name) => addressOfProfile({ context, session }, profileNames(name).shop),
    startDetached: (start) =>
      startDetached(context, records, start).catch((error: unknown) => {
        throw asStartMistake(error, start);
      }),
    stop: (name) => stopSandbox(context, records, name, session.settings),
    async meant() {
      return (await meantSandbox(context, records, undefined, session.settings)).state;
    },
    async start({ stateDirectory, ...start }) {
      const directory = stateDirectory === undefined ? records : recordsIn(stateDirectory);
      return alone(context, directory, start.name, () => startSandbox(context, directory, start)).catch(
        (error: unknown) => {
          throw asStartMistake(error, start);
        },
      );
    },
  };
}
