import type { Progress } from '../../action/ports.ts';
import { addressOf } from '../../client/account.ts';
import type { Connection, Deviating, Key, TraceEvent } from '../../client/connection.ts';
import type { Credential, Operation } from '../../contract/operation.ts';
import { fieldsIn } from '../../domain/json/values.ts';
import { type ScratchDirectory, scratchDirectory } from '../../platform/files/files.ts';
import type { Places } from '../../platform/files/paths.ts';
import { proxyFor, proxyVariables } from '../../platform/http/proxy.ts';
import { elapsedOn } from '../../platform/process/clock.ts';
import type { Settings, SettingsStore, StoredProfile } from '../../platform/settings/settings.ts';
import {
  allSettings,
  type GivenSettings,
  type ResolvedSettings,
  resolveSettings,
  zoneShown,
} from '../../settings/in-force.ts';
import { baseUrlOf, keyOf, whyNoKey } from '../../settings/keys.ts';
import { settingsTable } from '../../settings/table.ts';
import { type Context, driftOf, ledgerOf, patienceOf } from '../context.ts';
import { UsageError } from '../errors/usage-error.ts';
import { type GivenGlobals, known } from '../line/globals.ts';
import { formatAsked, type Line } from '../line/line.ts';
import { diagnosticsOf } from '../print/diagnostics.ts';
import { type Format, formatOf } from '../print/formats.ts';
import { flushGathered } from '../print/gathering.ts';
import { say } from '../print/texts.ts';
import { progressOf, type Scope, scopeOf } from './progress.ts';

/** The settings given as flags. */
function givenSettings(globals: GivenGlobals): GivenSettings {
  const given = allSettings.flatMap(([key, { flag }]) => {
    const value = flag === undefined ? undefined : globals[flag.name];
    return value === undefined ? [] : [[key, value]];
  });
  if (globals.json === true) {
    if (globals.output !== undefined && globals.output !== 'json') {
      throw new UsageError(say().twoFormats);
    }
    given.push(['output', 'json']);
  }
  return Object.fromEntries(given);
}

/** The current settings for one command. Throws a Refusal that names the setting. */
export function settingsInForce(stored: Settings, globals: GivenGlobals, env: Context['env']): ResolvedSettings {
  return resolveSettings({ stored, given: givenSettings(globals), env, known });
}

/** The current settings, and connections to the service based on them. */
export interface Session {
  readonly globals: GivenGlobals;
  readonly settings: ResolvedSettings;
  /** With --dry-run, --curl and a --fields that only asks for the list, nothing is saved. */
  readonly store: SettingsStore;
  /** Whether a change of the settings was discarded in a dry run. */
  unsaved(): boolean;
  readonly places: Places;
  /** Where a dry run works on copies; whoever opened the session removes it. */
  readonly scratch: ScratchDirectory;
  /** By which a command that is printed acts for the same account. */
  readonly scope: Scope;
  /** Why the settings cannot be used, for a command that reports it; the settings here are then the defaults. */
  readonly problem?: unknown;
  /** Shows a person what the program waits for, including every call over `connection`. */
  readonly progress: Progress;
  /** A connection to the given address, or the one in force; throws a ConfigurationError if there is none. */
  connection(baseUrl?: string): Connection;
  /** Selects one of several operations of a command by the kind in force. */
  choose(operations: readonly Operation[]): Operation;
}

/** The zone of the times that a person sees; undefined for this machine's. */
export const zoneOf = ({ settings, globals }: Pick<Session, 'settings' | 'globals'>): string | undefined =>
  zoneShown(settings, globals.utc === true);

/** The flags that count whatever is wrong with the settings. */
const keptFlags: ReadonlySet<string> = new Set(['output', 'json', 'read-only']);

/**
 * The defaults, with what holds whatever else is wrong: the print options of the command line, the format of the
 * environment, and read-only mode, by a flag, a variable, the profile that was meant, or a lock. A variable that cannot be
 * read is no leave to write.
 */
function settingsWithout(globals: GivenGlobals, env: Context['env'], stored: Settings | undefined): ResolvedSettings {
  const { profiles = {}, current_profile } = stored ?? {};
  const given = Object.fromEntries(Object.entries(globals).filter(([flag]) => keptFlags.has(flag)));
  const { SHOPCTL_OUTPUT: format = '', SHOPCTL_READ_ONLY: mode = '' } = env;
  const isMode = settingsTable.readOnly.type.read(mode, known) !== undefined;
  const { readOnly, ...others } = settingsInForce({ version: 1, profiles }, given, {
    ...(known.formats.includes(format) ? { SHOPCTL_OUTPUT: format } : {}),
    ...(mode.trim() === '' ? {} : { SHOPCTL_READ_ONLY: isMode ? mode : 'true' }),
  });
  const name = globals.profile ?? (env.SHOPCTL_PROFILE || current_profile);
  const isHeld = typeof name === 'string' && Object.hasOwn(profiles, name) && profiles[name]?.read_only === true;
  const isOpen = readOnly.origin === 'default' && isHeld;
  return { ...others, readOnly: isOpen ? { value: true, origin: 'profile' } : readOnly };
}

/** The current settings; with `diagnoses` the defaults if a bad file, profile or variable prevents that. */
async function resolved(
  store: SettingsStore,
  { env }: Context,
  globals: GivenGlobals,
  diagnoses: boolean,
): Promise<Pick<Session, 'settings' | 'problem' | 'scope'>> {
  let stored: Settings | undefined;
  try {
    stored = await store.read();
    const settings = settingsInForce(stored, globals, env);
    return { settings, scope: scopeOf(settings, stored) };
  } catch (problem) {
    const isConfiguration = fieldsIn(problem).kind === 'configuration';
    if (!diagnoses || !isConfiguration) throw problem;
    return { settings: settingsWithout(globals, env, stored), problem, scope: [] };
  }
}

/** A store whose changes are computed and discarded, and whether there was one. */
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

/** Reads and resolves the settings in force. */
export async function openSession(
  context: Context,
  globals: GivenGlobals,
  { diagnoses = false }: { readonly diagnoses?: boolean } = {},
): Promise<Session> {
  const { placesOf } = await import('../../platform/files/paths.ts');
  const places = placesOf({ env: context.env, home: context.home, platform: context.platform });
  const isPreview = globals['dry-run'] === true || globals.curl === true || globals.fields === true;
  const saving = context.settingsIn(places.config);
  const { store, wasChanged } = isPreview ? withoutSaving(saving) : { store: saving, wasChanged: () => false };
  const { settings, problem, scope } = await resolved(store, context, globals, diagnoses);
  diagnosticsOf(context).use(formatOf(settings.output.value), zoneOf({ settings, globals }));
  const progress = progressOf(context, globals, settings);
  const waits = globals.quiet === true ? undefined : waitsReported(context, progress);
  const session: Session = {
    globals,
    settings,
    store,
    unsaved: wasChanged,
    places,
    scratch: scratchDirectory(),
    scope,
    ...(problem === undefined ? {} : { problem }),
    progress,
    connection: (baseUrl) => connectionOf(context, settings, { progress, waits, baseUrl, state: places.state }),
    choose: (operations) => chooseOperation(operations, settings),
  };
  sessions.set(context, session);
  return session;
}

const sessions = new WeakMap<Context, Session>();

/** The session of a context's run, for reporting how the run ended; undefined if it ended before there was one. */
export function sessionOf(context: Context): Session | undefined {
  return sessions.get(context);
}

function chooseOperation(operations: readonly Operation[], settings: ResolvedSettings): Operation {
  const family = settings.as?.value ?? 'partner';
  const chosen = operations.find((operation) => operation.id.startsWith(`${family}.`)) ?? operations[0];
  if (chosen === undefined) throw new TypeError('a command without an operation');
  return chosen;
}

/** A wait that a person does not notice. */
const UNNOTICED_MS = 1000;

/** Reports that the service asked to wait, once for concurrent calls. */
function waitsReported({ clock }: Context, progress: Progress): (delayMs: number) => void {
  let reportedUntil = 0;
  return (delayMs) => {
    const until = clock.now() + delayMs;
    if (delayMs < UNNOTICED_MS || until <= reportedUntil + UNNOTICED_MS) return;
    reportedUntil = until;
    const seconds = Math.ceil(delayMs / 1000);
    const about = { code: 'service_wait', delay_ms: delayMs };
    void progress.say(say().progress.serviceWait({ seconds }), about);
  };
}

/** The instance of the sandbox at an address, where the profile in force is of that address. */
function instanceAt(baseUrl: string, profile: StoredProfile | undefined): string | undefined {
  const isThere = (url: string) => URL.canParse(url) && addressOf(url) === addressOf(baseUrl);
  return profile !== undefined && URL.canParse(baseUrl) && isThere(profile.base_url)
    ? profile.sandbox_instance
    : undefined;
}

interface Way {
  readonly progress: Progress;
  readonly waits: ((delayMs: number) => void) | undefined;
  readonly baseUrl: string | undefined;
  readonly state: string;
}

function connectionOf(
  context: Context,
  settings: ResolvedSettings,
  { progress, waits, state, baseUrl = baseUrlOf(settings) }: Way,
): Connection {
  const { clock } = context;
  const keys = new Map<Credential, Key>();
  return {
    baseUrl,
    instance: instanceAt(baseUrl, settings.profile),
    checkRoute: (url) => void proxyFor(url, proxyVariables(context.env)),
    // The current settings do not change, and a batch requests the same key for each call.
    key: (credential) => {
      const key = keys.get(credential) ?? keyOf(credential, settings, context.env);
      if (key !== undefined) keys.set(credential, key);
      return key;
    },
    whyNoKey: (credential) => whyNoKey(credential, settings),
    transport: (request) => context.transport(request),
    middleware: [
      async (request, next) => {
        await flushGathered(context.stdout);
        return progress.during(() => next(request));
      },
    ],
    // A client waits only between two attempts.
    clock: {
      now: () => clock.now(),
      elapsed: () => elapsedOn(clock),
      wait: (ms, signal) => progress.during(() => clock.wait(ms, signal)),
    },
    random: context.random,
    timeoutMs: settings.timeoutMs.value,
    maxRetries: settings.maxRetries.value,
    userAgent: `shopctl/${context.version}`,
    signal: context.signal,
    patience: patienceOf(context),
    ledger: ledgerOf(context),
    ...(settings.drift.value ? { drift: (seen: Deviating) => noteDrift(context, state, baseUrl, seen) } : {}),
    ...(waits === undefined ? {} : { waits }),
    ...(settings.debug.value ? { trace: (event: TraceEvent) => traceTo(context, event) } : {}),
  };
}

/** Takes note of a deviating answer; its text is parsed again only when the recorder is there. */
function noteDrift(context: Context, state: string, baseUrl: string, seen: Deviating): void {
  void driftOf(context, state)
    .then((recorder) => recorder.see(new URL(baseUrl).origin, seen))
    .catch(() => {});
}

function traceTo(context: Context, { event, operation, facts }: TraceEvent): void {
  void diagnosticsOf(context).debug({ event, operation, ...facts });
}

/** What is saved for a run before there is a session: its profile, and the settings of all; neither if they cannot be read. */
export async function savedBefore(
  context: Context,
  { globals }: Line,
): Promise<{ readonly profile?: StoredProfile | undefined; readonly settings?: Settings['settings'] }> {
  const { env, home, platform } = context;
  try {
    const { placesOf } = await import('../../platform/files/paths.ts');
    const stored = await context.settingsIn(placesOf({ env, home, platform }).config).read();
    const { profiles, current_profile, settings } = stored;
    const name = typeof globals.profile === 'string' ? globals.profile : env.SHOPCTL_PROFILE || current_profile;
    return { profile: name === undefined ? undefined : profiles[name], settings };
  } catch {
    return {};
  }
}

/** The format in force before there is a session: as the line and the environment ask, else as the profile has it. */
export async function formatBefore(context: Context, line: Line): Promise<Format> {
  const { globals } = line;
  const { env } = context;
  if (globals.json === true || globals.output !== undefined || env.SHOPCTL_OUTPUT) return formatAsked(line, env);
  return formatOf((await savedBefore(context, line)).profile?.output);
}
