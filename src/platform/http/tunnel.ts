import type { Socket } from 'node:net';
import type { buildConnector as Connectors } from 'undici';
import buildConnector from 'undici/lib/core/connect.js';
import { startTimer } from '../process/clock.ts';
import { say } from '../terminal/texts.ts';
import { TransportError, wordsOfTlsError } from './transport.ts';

/** What opens the connections through one proxy. */
export interface Tunnels {
  /** Asks the proxy once for a connection, for undici; every failure before it is there is the proxy's. */
  connect(target: Connectors.Options, callback: Connectors.Callback): void;
  /** Whether the proxy has made the last connection to a host that it was asked for. */
  isOpenTo(host: string): boolean;
}

interface TunnelOptions {
  /** Time limit for each step: reaching the proxy, its answer, and TLS to the service. */
  readonly timeoutMs: number;
  /** Called with each socket that is about to connect, which ends with the transport. */
  readonly opening: (socket: Socket) => void;
}

/** A longer answer to CONNECT is none of a proxy. */
const LONGEST_HEAD_BYTES = 16 * 1024;
const HEAD_END = '\r\n\r\n';

/** Statuses by which a proxy says that it could not reach the service now. */
const PASSING_STATUS = new Set(['502', '503', '504']);

const codeOf = (error: Error) => ('code' in error && typeof error.code === 'string' ? error.code : '');

/** What is said of a proxy that makes no connection to a host. */
type Worded = (ends: { readonly proxy: string; readonly host: string }) => string;

/** Why an answer to CONNECT opens no tunnel; undefined if it does. Whoever asked speaks first: bytes behind it are a page. */
function refusalIn(head: string, hasMore: boolean): { readonly worded: Worded; readonly passing: boolean } | undefined {
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1];
  const { network } = say();
  if (status === undefined) return { worded: network.noProxyThere, passing: false };
  if (!status.startsWith('2'))
    return { worded: (ends) => network.proxyRefused({ ...ends, status }), passing: PASSING_STATUS.has(status) };
  const isPage = hasMore || /\r\ncontent-type: *text\/html/i.test(head) || /\r\ncontent-length: *[1-9]/i.test(head);
  return isPage ? { worded: network.proxyPage, passing: false } : undefined;
}

/** Tunnels through a proxy: undici's own ProxyAgent dials one that drops CONNECT again and again, without a pause. */
export function tunnelsThrough(proxy: URL, { timeoutMs, opening }: TunnelOptions): Tunnels {
  const connectTo = buildConnector({ timeout: timeoutMs });
  const open = new Set<string>();
  const failing = (
    host: string,
    worded: Worded,
    { cause, passing = true }: { cause?: Error; passing?: boolean } = {},
  ) =>
    new TransportError('proxy', 'no', worded({ proxy: proxy.host, host }), {
      passing,
      ...(cause === undefined ? {} : { cause }),
    });
  const reach = (callback: (error: Error | undefined, socket: Socket) => void) => {
    const target = { hostname: proxy.hostname.replace(/^\[|\]$/g, ''), host: proxy.host, protocol: proxy.protocol };
    const port = proxy.port || (proxy.protocol === 'https:' ? '443' : '80');
    const socket = connectTo({ ...target, port }, (error, reached) => callback(error ?? undefined, reached ?? socket));
    opening(socket);
  };
  const ask = (socket: Socket, host: string, { port, protocol }: Connectors.Options) => {
    const place = port ? host : `${host}:${protocol === 'https:' ? 443 : 80}`;
    const given = [proxy.username, proxy.password].map(decodeURIComponent).join(':');
    const key = given === ':' ? [] : [`proxy-authorization: Basic ${Buffer.from(given).toString('base64')}`];
    const lines = [`CONNECT ${place} HTTP/1.1`, `host: ${place}`, 'proxy-connection: keep-alive', ...key];
    socket.write(`${lines.join('\r\n')}${HEAD_END}`);
  };
  return {
    isOpenTo: (host) => open.has(host),
    connect(target, callback) {
      const { hostname, host = hostname, protocol } = target;
      open.delete(host);
      reach((unreached, socket) => {
        if (unreached !== undefined) return callback(unreachable(proxy, unreached), null);
        answerTo(socket, timeoutMs, (answer) => {
          if ('lost' in answer) {
            socket.destroy();
            return callback(failing(host, answer.lost, { ...(answer.cause && { cause: answer.cause }) }), null);
          }
          const refusal = refusalIn(answer.head, answer.hasMore);
          if (refusal !== undefined) {
            socket.destroy();
            return callback(failing(host, refusal.worded, refusal), null);
          }
          open.add(host);
          if (protocol !== 'https:') return callback(null, socket);
          opening(connectTo({ ...target, httpSocket: socket }, callback));
        });
        ask(socket, host, target);
      });
    },
  };
}

function unreachable({ host }: URL, cause: Error): TransportError {
  const code = codeOf(cause);
  const tls = wordsOfTlsError(cause);
  const { noProxy, noSecureProxy } = say().network;
  const text = tls === undefined ? noProxy({ proxy: host, code }) : noSecureProxy({ proxy: host, why: tls });
  return new TransportError('proxy', 'no', text, { cause, passing: tls === undefined });
}

type AnswerToConnect =
  | { readonly head: string; readonly hasMore: boolean }
  | { readonly lost: Worded; readonly cause?: Error };

/** Waits for the head of the answer, and leaves the socket to whoever takes it then. */
function answerTo(socket: Socket, timeoutMs: number, then: (answer: AnswerToConnect) => void): void {
  let received = Buffer.alloc(0);
  const end = (answer: AnswerToConnect) => {
    timer.stop();
    socket.off('readable', read).off('end', onEnd).off('close', onEnd).off('error', onError);
    then(answer);
  };
  const onEnd = () => {
    const isOther = received.length > 0 && !received.toString('latin1', 0, 5).startsWith('HTTP/');
    end({ lost: isOther ? say().network.noProxyThere : say().network.proxyHungUp });
  };
  const onError = (cause: Error) =>
    end({ lost: (ends) => say().network.proxyBroke({ ...ends, code: codeOf(cause) }), cause });
  const read = () => {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) received = Buffer.concat([received, chunk]);
    const at = received.indexOf(HEAD_END);
    if (at < 0 && received.length <= LONGEST_HEAD_BYTES) return;
    end({ head: received.toString('latin1', 0, Math.max(0, at)), hasMore: received.length > at + HEAD_END.length });
  };
  const timer = startTimer(timeoutMs, () =>
    end({ lost: (ends) => say().network.proxyLate({ ...ends, seconds: timeoutMs / 1000 }) }),
  );
  socket.on('readable', read).on('end', onEnd).on('close', onEnd).on('error', onError);
}
