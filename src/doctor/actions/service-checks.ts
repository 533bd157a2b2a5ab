import type { Advise } from '../../action/advice.ts';
import type { Ports } from '../../action/ports.ts';
import { call } from '../../client/call.ts';
import { type Connection, through } from '../../client/connection.ts';
import { ServiceError } from '../../client/errors.ts';
import { checkKey, type KeyCheck } from '../../client/key-check.ts';
import type { Facts } from '../../client/refusal.ts';
import { loadOperation } from '../../contract/areas.ts';
import type { Credential } from '../../contract/operation.ts';
import { fieldsIn } from '../../domain/json/values.ts';
import type { WireResponse } from '../../platform/http/transport.ts';
import { elapsedOn } from '../../platform/process/clock.ts';
import { keyOf } from '../../settings/keys.ts';
import { type Finding, failed, failedBy, fine, skipped, warning } from './finding.ts';

/** The last response on a connection, and when it arrived: its headers are not part of any call's result. */
interface Heard {
  headers?: WireResponse['headers'];
  /** Milliseconds since 1970 by this machine's clock, halfway between request and response. */
  at?: number;
  /** Duration in milliseconds. */
  took?: number;
}

/** The same connection, recording its responses. */
function listening(connection: Connection, heard: Heard): Connection {
  return {
    ...through(connection, async (request, next) => {
      const began = elapsedOn(connection.clock);
      const answer = await next(request);
      heard.took = elapsedOn(connection.clock) - began;
      heard.at = connection.clock.now() - heard.took / 2;
      heard.headers = answer.headers;
      return answer;
    }),
    // It shrinks from call to call.
    get timeoutMs() {
      return connection.timeoutMs;
    },
  };
}

const names: Readonly<Record<Credential, string>> = {
  'partner-api-key': 'api key',
  'shop-api-key': 'api key',
  'shop-key': 'shop key',
};

/** The result of checking a key, as a finding. */
function keyFinding(
  credential: Credential,
  key: string,
  check: KeyCheck,
  { answered, advise }: { readonly answered: boolean; readonly advise: Advise },
): Finding {
  const name = names[credential];
  if (check.elsewhere === true) return skipped(name, 'the service was not found');
  if (check.works === true) return fine(name, `${key} is accepted`);
  const problem = check.problem ?? 'it is not known whether the service accepts it';
  if (check.works === false) {
    const hint = advise(credential === 'shop-key' ? 'sign_in_again' : 'ask_for_key');
    return failed(name, 'credential', `${key} is refused: ${problem}`, hint);
  }
  if (check.unreachable === true) return skipped(name, 'no answer came');
  if (check.failed === true) return skipped(name, 'the service failed, and said nothing of it');
  return failed(name, answered ? 'service' : 'credential', problem, advise('look_at_keys'));
}

interface KeyRun {
  readonly findings: readonly Finding[];
  /** Why the service could not be asked. */
  readonly failure?: unknown;
}

/** Checks each key in force, the API key first; stops if the service cannot be reached. */
async function checkKeys(ports: Ports, connection: Connection, heard: Heard): Promise<KeyRun> {
  const { settings, env, ui } = ports;
  const { advise } = ui;
  const kinds: readonly Credential[] =
    settings.as?.value === 'shop' ? ['shop-api-key'] : ['partner-api-key', 'shop-key'];
  const held = kinds.flatMap((kind) => {
    const key = keyOf(kind, settings, env);
    return key === undefined ? [] : [{ kind, key }];
  });
  if (held.length === 0) {
    return { findings: [failed('api key', 'credential', 'no key is set', advise('set_up_key'))] };
  }
  const findings: Finding[] = [];
  let failure: unknown;
  for (const { kind, key } of held) {
    const check: KeyCheck =
      failure === undefined ? await checkKey(kind, key, connection) : { works: undefined, unreachable: true };
    if (check.unreachable === true || check.failed === true || check.elsewhere === true) failure ??= check.error;
    const found = keyFinding(kind, key.secret.redacted(), check, { answered: heard.headers !== undefined, advise });
    const isOfShop = check.works === false && (await isKeyOfShop(kind, ports, connection));
    findings.push(
      isOfShop ? { ...found, found: `${found.found}: it is a shop's own key`, hint: advise('act_as_shop') } : found,
    );
  }
  return { findings, failure };
}

/** Whether a key from the environment that is refused as a partner's is a shop's own. */
async function isKeyOfShop(kind: Credential, { env }: Ports, connection: Connection): Promise<boolean> {
  const key = connection.key(kind);
  if (kind !== 'partner-api-key' || !env.SHOPCTL_API_KEY || key === undefined) return false;
  return (await checkKey('shop-api-key', key, connection)).works === true;
}

function serviceFinding(heard: Heard, failure: unknown, { settings, ui }: Ports): Finding {
  if (failure !== undefined) {
    const { sandbox } = settings.profile ?? {};
    const isStopped = fieldsIn(failure).failure === 'refused' && sandbox !== undefined;
    const explained = failedBy('service', failure, { ui });
    const { status } = fieldsIn(failure);
    const isOfService = failure instanceof ServiceError;
    const finding = isOfService ? { ...explained, found: `answers ${status}: ${explained.found}` } : explained;
    const hint = isStopped ? ui.advise('start_sandbox', sandboxFacts(settings)) : finding.hint;
    return { ...finding, hint: hint ?? ui.advise('check_service') };
  }
  if (heard.took === undefined) return skipped('service', 'not checked');
  return fine('service', `answered in ${Math.round(heard.took)} ms`);
}

/** The countdown of a sign-in and the times in tables are off by the difference between the two clocks. */
const MOST_SKEW_SECONDS = 60;

/** The name and the port of the sandbox behind a profile. */
function sandboxFacts({ profile }: Ports['settings']): Facts {
  const { port = '' } = new URL(profile?.base_url ?? 'http://127.0.0.1');
  return { name: profile?.sandbox ?? '', port, flags: profile?.sandbox_flags ?? '' };
}

/** So many seconds, rounded, in the largest unit of which there are two. */
function inWords(seconds: number): string {
  const hours = Math.round(seconds / 3600);
  if (hours >= 48) return `${Math.round(hours / 24)} days`;
  if (hours >= 2) return `${hours} hours`;
  return seconds >= 120 ? `${Math.round(seconds / 60)} minutes` : `${seconds} s`;
}

function clockFinding({ headers, at }: Heard, advise: Advise): Finding {
  if (headers === undefined || at === undefined) return skipped('clock', 'no answer came');
  const served = Date.parse(headers.date ?? '');
  if (Number.isNaN(served)) return skipped('clock', 'the service does not send its time');
  const seconds = Math.round((at - served) / 1000);
  if (Math.abs(seconds) <= MOST_SKEW_SECONDS) return fine('clock', `within ${Math.abs(seconds)} s of the service's`);
  const side = seconds > 0 ? 'ahead of' : 'behind';
  return warning('clock', `${inWords(Math.abs(seconds))} ${side} the service's`, advise('set_clock'));
}

/** The version of the service, which only a shop's own key may ask for (contract, "shop family"). */
async function versionFinding(ports: Ports, connection: Connection): Promise<Finding> {
  if (keyOf('shop-api-key', ports.settings, ports.env) === undefined) {
    return skipped('version', "only a shop's own API key may ask for it");
  }
  try {
    const { service, version } = await call(await loadOperation('shop.Misc/VersionInfo'), {}, connection);
    return fine('version', `${service ?? 'unnamed'} ${version ?? 'of no version'}`);
  } catch (error) {
    if (connection.signal?.aborted) throw error;
    return failedBy('version', error, ports);
  }
}

const ofService = ['service', 'api key', 'clock', 'version'] as const;

/** Checks with the service, as they end: whether it responds, accepts the keys, agrees on the time, and what it is. */
export async function* checkService(ports: Ports, url: URL | undefined): AsyncGenerator<Finding, void> {
  const { advise } = ports.ui;
  const none = (why: string) => ofService.map((check) => skipped(check, why));
  if (url === undefined) return yield* none('no address is known');
  if (ports.isLook) return yield* none('nothing was sent');
  const heard: Heard = {};
  const connection = listening(ports.connection(), heard);
  try {
    connection.checkRoute?.(url);
  } catch {
    return yield* none('the proxy cannot be used');
  }
  const { findings, failure } = await checkKeys(ports, connection, heard);
  yield serviceFinding(heard, failure, ports);
  yield* [...findings, clockFinding(heard, advise)];
  const isAsked = failure === undefined && findings.every(({ result }) => result === 'ok');
  yield isAsked
    ? await versionFinding(ports, connection)
    : skipped('version', failure === undefined ? 'the key is in doubt' : 'the service was not asked');
}
