import type * as z from 'zod';
import { millisecondsOf } from '../../action/duration-field.ts';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import { entity } from '../../contract/enums.ts';
import { flag, int, list, oneOf, record, text } from '../../contract/schema/scalars.ts';
import { isLoopbackHost } from '../../platform/server/loopback-server.ts';
import { say } from './texts.ts';

const DEFAULT_PORT = 4020;
const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_POLL = '5m';
const DEFAULT_GIVE_UP = '24h';

/** The input of a listener. */
export const listenInput = record({
  port: int(`where to listen, 0 for a free one; ${DEFAULT_PORT} when absent`, 'port'),
  host: text(`address of this machine to listen at; ${DEFAULT_HOST} when absent`),
  entity: list(oneOf(entity, 'a kind of record'), 'only changes of such records; all when absent'),
  forward_to: list(text('a target'), 'forward each change to a url, [ENTITY[.create|update|delete]=]URL; repeats'),
  target_name: list(text('a name'), 'name of a target, in the order of the targets'),
  accept: oneOf(
    ['ok', '2xx'],
    'which answer of a target counts as accepted: 200 with the body ok, as the service requires, or any 2xx',
  ),
  give_up: text(
    `how long to retry a change that a target refuses, or leaves unanswered while it answers others; ${DEFAULT_GIVE_UP} when absent`,
  ),
  exec: text('run a command line for each change, which stands on stdin; exit 0 accepts it'),
  pass_keys: flag('give that command line the keys in the environment, too'),
  register: flag('create the webhook at the service, keep it alive, and remove it at the end'),
  public_url: text('the address under which the service reaches this listener; https'),
  keep: flag('leave the webhook in place at the end'),
  name: text("name of this listener, which its secret and its webhook stay with; the profile's when absent"),
  poll: text(`how often to look whether the service has stopped the webhook; ${DEFAULT_POLL} when absent`),
  until_idle: text('end when nothing has come for this long'),
  count: int('end after this many changes', 'changes'),
  expect: text(
    'end when a change matches this JMESPath expression over what -o json prints of it; exit 11 if none did',
  ),
  within: text('how long to wait for that'),
});

/** A listener's input. */
export type ListenInput = z.output<typeof listenInput>;

/** Hints for the text fields of a listener's input. */
export const listenHints = {
  port: { placeholder: 'PORT' },
  forward_to: { placeholder: 'URL', from: 'path' },
  target_name: { placeholder: 'NAME', from: 'path' },
  give_up: { placeholder: 'DURATION', isStyle: true, from: 'path' },
  exec: { placeholder: 'COMMAND', from: 'path' },
  public_url: { placeholder: 'URL', from: 'path' },
  poll: { placeholder: 'DURATION', isStyle: true, from: 'path' },
} as const;

/** Hints for the fields that say when to stop. */
export const endingHints = {
  until_idle: { placeholder: 'DURATION', isStyle: true, from: 'path' },
  expect: { placeholder: 'JMESPATH', from: 'path' },
  within: { placeholder: 'DURATION', isStyle: true, from: 'path' },
} as const;

/** The input, parsed and validated before anything is opened. Throws a Refusal. */
export async function readListenInput(given: ListenInput, ports: Ports) {
  const duration = (path: keyof ListenInput & string) => {
    const value = given[path];
    return typeof value === 'string' ? millisecondsOf(path, value) : undefined;
  };
  const { namedTargets, TargetError } = await import('../listen/index.ts');
  const wrong = (path: string, message: string) =>
    new Refusal('invalid_input', say().field({ field: path, what: message }), { fieldErrors: [{ path, message }] });
  const port = given.port ?? DEFAULT_PORT;
  if (port < 0 || port > 65_535) throw wrong('port', say().listen.port);
  if (typeof given.count === 'number' && given.count < 1) throw wrong('count', say().listen.atLeastOne);
  try {
    return {
      port,
      host: given.host ?? DEFAULT_HOST,
      entities: given.entity ?? [],
      name: given.name ?? ports.settings.profileName?.value ?? 'default',
      pollMs: Math.max(1000, duration('poll') ?? millisecondsOf('poll', DEFAULT_POLL)),
      idleMs: duration('until_idle'),
      withinMs: duration('within'),
      count: given.count ?? undefined,
      expectation: typeof given.expect === 'string' ? await expectationFrom(given.expect) : undefined,
      targets: namedTargets({
        forwardTo: given.forward_to ?? [],
        exec: given.exec ?? undefined,
        names: given.target_name ?? [],
        accept: given.accept ?? 'ok',
        giveUpMs: duration('give_up') ?? millisecondsOf('give_up', DEFAULT_GIVE_UP),
      }),
    };
  } catch (error) {
    if (error instanceof TargetError) throw wrong(error.path, error.message);
    throw error;
  }
}

async function expectationFrom(expression: string) {
  const { expectationOf, ExpressionError } = await import('../listen/index.ts');
  try {
    return await expectationOf(expression);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const message = say().expression.wrong({ why: error.message });
    throw new Refusal('invalid_input', message, { fieldErrors: [{ path: 'expect', message }] });
  }
}

/** The url to register with the service. Throws a Refusal if it cannot be determined. */
export function publicUrlOf(
  { public_url: given }: ListenInput,
  { settings }: Ports,
  origin: string,
  path: string,
): string {
  if (typeof given === 'string') {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    const isLocal = url?.protocol === 'http:' && isLoopbackHost(url.hostname);
    if (url === undefined || (url.protocol !== 'https:' && !isLocal) || /[?#@]/.test(given)) {
      const message = say().listen.publicUrl;
      throw new Refusal('invalid_input', message, { fieldErrors: [{ path: 'public_url', message }] });
    }
    return `${given.replace(/\/+$/, '')}${path}`;
  }
  const base = settings.baseUrl?.value;
  if (base !== undefined && URL.canParse(base) && isLoopbackHost(new URL(base).hostname)) return `${origin}${path}`;
  throw new Refusal('public_url_missing', say().listen.publicUrlMissing, {
    fieldErrors: [{ path: 'public_url', message: say().listen.urlMissing }],
  });
}
