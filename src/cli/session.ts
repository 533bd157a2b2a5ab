import type { Progress } from '../actions/ports.ts';
import type { Connection, Key, TraceEvent } from '../client/connection.ts';
import type { Credential, Operation } from '../contract/operation.ts';
import { Secret } from '../platform/secret.ts';
import type { SettingsStore, StoredProfile } from '../platform/settings.ts';
import { makeSafe } from '../platform/text-safety.ts';
import { type Context, ledgerOf } from './context.ts';
import type { GivenGlobals } from './globals.ts';
import { progressOf } from './progress.ts';
import { type ResolvedSettings, resolveSettings } from './settings.ts';
import { ConfigurationError } from './usage-error.ts';

/** Where settings, state and cache of this run live. */
export interface Places {
  readonly config: string;
  readonly state: string;
  readonly cache: string;
}

/** The settings in force, and a way to the service made of them. */
export interface Session {
  readonly globals: GivenGlobals;
  readonly settings: ResolvedSettings;
  /** With --dry-run, --curl and a --fields that only asks it saves nothing. */
  readonly store: SettingsStore;
  /** Whether a change of the settings was thrown away, because only a look was asked for. */
  unsaved(): boolean;
  readonly places: Places;
  /** Why the settings cannot be used, for a command that tells what is wrong; the ones here are then the defaults. */
  readonly problem?: unknown;
  /** Shows a person what is waited for; every call over `connection` is. */
  readonly progress: Progress;
  /** The connection that operations are called over; throws a ConfigurationError when no service is named. */
  connection(): Connection;
  /** Which of several operations of one command is meant, by the kind in force. */
  choose(operations: readonly Operation[]): Operation;
}

/** The defaults, under what the command line says about printing. */
function settingsWithout({ output, json }: GivenGlobals): ResolvedSettings {
  const printing = { ...(output === undefined ? {} : { output }), ...(json === undefined ? {} : { json }) };
  return resolveSettings({ version: 1, profiles: {} }, printing, {});
}

/** What is in force; with `diagnoses` the defaults where a bad file, profile or variable stands in the way. */
async function resolved(
  store: SettingsStore,
  { env }: Context,
  globals: GivenGlobals,
  diagnoses: boolean,
): Promise<Pick<Session, 'settings' | 'problem'>> {
  try {
    return { settings: resolveSettings(await store.read(), globals, env) };
  } catch (problem) {
    const isConfiguration = (problem as { kind?: unknown }).kind === 'configuration';
    if (!diagnoses || !isConfiguration) throw problem;
    return { settings: settingsWithout(globals), problem };
  }
}

/** A store whose changes are made and thrown away, and whether there was one. */
function withoutSaving(store: SettingsStore): { store: SettingsStore; wasChanged: () => boolean } {
  let changed = false;
  const update: SettingsStore['update'] = async (change) => {
    const before = await store.read();
    const after = change(before);
    changed ||= after !== before;
    return after;
  };
  return { store: { ...store, update, mend: async () => {} }, wasChanged: () => changed };
}

/** Reads the settings and resolves what is in force. */
export async function openSession(
  context: Context,
  globals: GivenGlobals,
  { diagnoses = false }: { readonly diagnoses?: boolean } = {},
): Promise<Session> {
  const { placesOf } = await import('../platform/paths.ts');
  const places = placesOf({ env: context.env, home: context.home, platform: context.platform });
  const isPreview = globals['dry-run'] === true || globals.curl === true || globals.fields === true;
  const saving = context.settingsIn(places.config);
  const { store, wasChanged } = isPreview ? withoutSaving(saving) : { store: saving, wasChanged: () => false };
  const { settings, problem } = await resolved(store, context, globals, diagnoses);
  const progress = progressOf(context, globals, settings);
  return {
    globals,
    settings,
    store,
    unsaved: wasChanged,
    places,
    ...(problem === undefined ? {} : { problem }),
    progress,
    connection: () => connectionOf(context, settings, progress),
    choose: (operations) => chooseOperation(operations, settings),
  };
}

function chooseOperation(operations: readonly Operation[], settings: ResolvedSettings): Operation {
  const family = settings.as?.value ?? 'partner';
  const chosen = operations.find((operation) => operation.id.startsWith(`${family}.`)) ?? operations[0];
  if (chosen === undefined) throw new TypeError('a command without an operation');
  return chosen;
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

function boundTo(profile: StoredProfile, text: string | undefined): Key | undefined {
  if (text === undefined || text === '') return undefined;
  const origin = originOf(profile.base_url);
  return origin === undefined ? undefined : { secret: new Secret(text), origin };
}

function fromEnvironment(text: string | undefined): Key | undefined {
  return text === undefined || text === '' ? undefined : { secret: new Secret(text) };
}

/** The shop that is acted for: the one named, else the only one there is. */
export function shopInForce(settings: ResolvedSettings): string | undefined {
  if (settings.shop !== undefined) return settings.shop.value;
  const signedIn = Object.keys(settings.profile?.shops ?? {});
  return signedIn.length === 1 ? signedIn[0] : undefined;
}

/** The key of one kind: from the environment, else of the profile in force and bound to its origin. */
export function keyOf(credential: Credential, settings: ResolvedSettings, env: Context['env']): Key | undefined {
  const { profile } = settings;
  if (credential === 'shop-key') {
    const given = fromEnvironment(env.SHOPCTL_SHOP_KEY);
    if (given !== undefined) return given;
    const shop = shopInForce(settings);
    const shops = profile?.shops;
    if (profile?.kind !== 'partner' || shop === undefined || !shops || !Object.hasOwn(shops, shop)) return undefined;
    const saved = boundTo(profile, shops[shop]?.shop_key);
    return saved && { ...saved, shop };
  }
  const kind = credential === 'shop-api-key' ? 'shop' : 'partner';
  const inForce = settings.as?.value ?? kind;
  const given = inForce === kind ? fromEnvironment(env.SHOPCTL_API_KEY) : undefined;
  if (given !== undefined) return given;
  return profile?.kind === kind ? boundTo(profile, profile.api_key) : undefined;
}

/** Fails with the exit of a bad configuration when no service is named. */
export function baseUrlOf(settings: ResolvedSettings): string {
  if (settings.baseUrl === undefined) {
    throw new ConfigurationError(
      'no service is named',
      'start one here with `shopctl sandbox start`, or name yours with `shopctl profiles add NAME --base-url URL`',
    );
  }
  return settings.baseUrl.value;
}

function connectionOf(context: Context, settings: ResolvedSettings, progress: Progress): Connection {
  const { clock } = context;
  return {
    baseUrl: baseUrlOf(settings),
    key: (credential) => keyOf(credential, settings, context.env),
    transport: (request) => progress.during(() => context.transport(request)),
    // A client waits between two attempts only.
    clock: { now: () => clock.now(), wait: (ms, signal) => progress.during(() => clock.wait(ms, signal)) },
    random: context.random,
    timeoutMs: settings.timeoutMs.value,
    maxRetries: settings.maxRetries.value,
    userAgent: `shopctl/${context.version}`,
    signal: context.signal,
    ledger: ledgerOf(context),
    ...(settings.debug.value ? { trace: (event: TraceEvent) => traceTo(context, event) } : {}),
  };
}

function traceTo(context: Context, event: TraceEvent): void {
  const facts = Object.entries(event.facts).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  void context.stderr.write(`debug: ${makeSafe(`${event.event} ${event.operation} ${facts.join(' ')}`)}\n`);
}
