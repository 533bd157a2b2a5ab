import type { Progress } from '../actions/ports.ts';
import type { ResolvedSettings } from '../actions/settings/in-force.ts';
import { baseUrlOf, keyOf } from '../actions/settings/keys.ts';
import type { Connection, Key, TraceEvent } from '../client/connection.ts';
import type { Credential, Operation } from '../contract/operation.ts';
import type { SettingsStore } from '../platform/settings.ts';
import { makeSafe } from '../platform/text-safety.ts';
import { type Context, ledgerOf } from './context.ts';
import { settingsInForce } from './given-settings.ts';
import type { GivenGlobals } from './globals.ts';
import { flushGathered } from './print/gathering.ts';
import { progressOf } from './progress.ts';

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
  /** The connection that operations are called over, to the address given or in force; throws a ConfigurationError when there is none. */
  connection(baseUrl?: string): Connection;
  /** Which of several operations of one command is meant, by the kind in force. */
  choose(operations: readonly Operation[]): Operation;
}

/** The defaults, under what the command line says about printing. */
function settingsWithout({ output, json }: GivenGlobals): ResolvedSettings {
  const printing = { ...(output === undefined ? {} : { output }), ...(json === undefined ? {} : { json }) };
  return settingsInForce({ version: 1, profiles: {} }, printing, {});
}

/** What is in force; with `diagnoses` the defaults where a bad file, profile or variable stands in the way. */
async function resolved(
  store: SettingsStore,
  { env }: Context,
  globals: GivenGlobals,
  diagnoses: boolean,
): Promise<Pick<Session, 'settings' | 'problem'>> {
  try {
    return { settings: settingsInForce(await store.read(), globals, env) };
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
  const waits = globals.quiet === true ? undefined : waitsTold(context, progress);
  const session: Session = {
    globals,
    settings,
    store,
    unsaved: wasChanged,
    places,
    ...(problem === undefined ? {} : { problem }),
    progress,
    connection: (baseUrl) => connectionOf(context, settings, { progress, waits, baseUrl }),
    choose: (operations) => chooseOperation(operations, settings),
  };
  sessions.set(context, session);
  return session;
}

const sessions = new WeakMap<Context, Session>();

/** The session of a context's run, for whoever reports how the run ended; undefined where it ended before there was one. */
export function sessionOf(context: Context): Session | undefined {
  return sessions.get(context);
}

function chooseOperation(operations: readonly Operation[], settings: ResolvedSettings): Operation {
  const family = settings.as?.value ?? 'partner';
  const chosen = operations.find((operation) => operation.id.startsWith(`${family}.`)) ?? operations[0];
  if (chosen === undefined) throw new TypeError('a command without an operation');
  return chosen;
}

/** What a person does not notice. */
const UNNOTICED_MS = 1000;

/** Says that the service asked to wait, once for calls that wait together. */
function waitsTold({ clock }: Context, progress: Progress): (delayMs: number) => void {
  let toldUntil = 0;
  return (delayMs) => {
    const until = clock.now() + delayMs;
    if (delayMs < UNNOTICED_MS || until <= toldUntil + UNNOTICED_MS) return;
    toldUntil = until;
    void progress.say(`the service asks to wait ${Math.ceil(delayMs / 1000)} s before the next attempt`);
  };
}

interface Way {
  readonly progress: Progress;
  readonly waits: ((delayMs: number) => void) | undefined;
  readonly baseUrl: string | undefined;
}

function connectionOf(
  context: Context,
  settings: ResolvedSettings,
  { progress, waits, baseUrl = baseUrlOf(settings) }: Way,
): Connection {
  const { clock } = context;
  const keys = new Map<Credential, Key>();
  return {
    baseUrl,
    // The settings in force do not change, and a batch asks for the same key with each call.
    key: (credential) => {
      const key = keys.get(credential) ?? keyOf(credential, settings, context.env);
      if (key !== undefined) keys.set(credential, key);
      return key;
    },
    transport: async (request) => {
      await flushGathered(context.stdout);
      return progress.during(() => context.transport(request));
    },
    // A client waits between two attempts only.
    clock: { now: () => clock.now(), wait: (ms, signal) => progress.during(() => clock.wait(ms, signal)) },
    random: context.random,
    timeoutMs: settings.timeoutMs.value,
    maxRetries: settings.maxRetries.value,
    userAgent: `shopctl/${context.version}`,
    signal: context.signal,
    ledger: ledgerOf(context),
    ...(waits === undefined ? {} : { waits }),
    ...(settings.debug.value ? { trace: (event: TraceEvent) => traceTo(context, event) } : {}),
  };
}

function traceTo(context: Context, event: TraceEvent): void {
  const facts = Object.entries(event.facts).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  void context.stderr.write(`debug: ${makeSafe(`${event.event} ${event.operation} ${facts.join(' ')}`)}\n`);
}
