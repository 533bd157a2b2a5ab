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
import { say } from './texts.ts';

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
  if (check.elsewhere === true) return skipped(name, say().key.notFound);
  if (check.works === true) return fine(name, say().key.accepted({ key }));
  const problem = check.problem ?? say().key.notKnown;
  if (check.works === false) {
    const hint = advise(credential === 'shop-key' ? 'sign_in_again' : 'ask_for_key');
    return failed(name, 'credential', say().key.refused({ key, problem }), hint);
  }
  if (check.unreachable === true) return skipped(name, say().key.noAnswer);
  if (check.failed === true) return skipped(name, say().key.serviceFailed);
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
    return { findings: [failed('api key', 'credential', say().key.none, advise('set_up_key'))] };
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
      isOfShop ? { ...found, found: say().key.ofShop({ found: found.found }), hint: advise('act_as_shop') } : found,
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
    const finding = isOfService
      ? { ...explained, found: say().service.answers({ status: String(status), found: explained.found }) }
      : explained;
    const hint = isStopped ? ui.advise('start_sandbox', sandboxFacts(settings)) : finding.hint;
    return { ...finding, hint: hint ?? ui.advise('check_service') };
  }
  if (heard.took === undefined) return skipped('service', say().service.notChecked);
  return fine('service', say().service.answered({ milliseconds: Math.round(heard.took) }));
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
  if (hours >= 48) return say().clock.days({ count: Math.round(hours / 24) });
  if (hours >= 2) return say().clock.hours({ count: hours });
  return seconds >= 120
    ? say().clock.minutes({ count: Math.round(seconds / 60) })
    : say().clock.seconds({ count: seconds });
}

function clockFinding({ headers, at }: Heard, advise: Advise): Finding {
  if (headers === undefined || at === undefined) return skipped('clock', say().key.noAnswer);
  const served = Date.parse(headers.date ?? '');
  if (Number.isNaN(served)) return skipped('clock', say().clock.noTime);
  const seconds = Math.round((at - served) / 1000);
  if (Math.abs(seconds) <= MOST_SKEW_SECONDS) return fine('clock', say().clock.within({ seconds: Math.abs(seconds) }));
  const time = inWords(Math.abs(seconds));
  return warning(
    'clock',
    seconds > 0 ? say().clock.ahead({ time }) : say().clock.behind({ time }),
    advise('set_clock'),
  );
}

/** The version of the service, which only a shop's own key may ask for (contract, "shop family"). */
async function versionFinding(ports: Ports, connection: Connection): Promise<Finding> {
  if (keyOf('shop-api-key', ports.settings, ports.env) === undefined) {
    return skipped('version', say().version.ofShopOnly);
  }
  try {
    const { service, version } = await call(await loadOperation('shop.Misc/VersionInfo'), {}, connection);
    return fine('version', say().version.is({ service, version }));
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
  if (url === undefined) return yield* none(say().service.noAddress);
  if (ports.isLook) return yield* none(say().service.nothingSent);
  const heard: Heard = {};
  const connection = listening(ports.connection(), heard);
  try {
    connection.checkRoute?.(url);
  } catch {
    return yield* none(say().service.noProxy);
  }
  const { findings, failure } = await checkKeys(ports, connection, heard);
  yield serviceFinding(heard, failure, ports);
  yield* [...findings, clockFinding(heard, advise)];
  const isAsked = failure === undefined && findings.every(({ result }) => result === 'ok');
  yield isAsked
    ? await versionFinding(ports, connection)
    : skipped('version', failure === undefined ? say().key.inDoubt : say().webhooks.notAsked);
}
