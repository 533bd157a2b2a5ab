import type { lookup as systemLookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { guardedLookup } from '../../../platform/http/guarded-lookup.ts';
import { isLoopbackHost } from '../../../platform/server/loopback-server.ts';
import { type AllowedHosts, refusedTarget } from '../../engine/allowed-hosts.ts';
import { KEPT_BYTES, type ReceiverAnswer } from './verdict.ts';

/** One delivery. */
export interface Delivery {
  readonly url: string;
  /** JSON. */
  readonly body: string;
  /** Aborted when the answer is no longer awaited. */
  readonly signal: AbortSignal;
}

/**
 * Sends a delivery; rejects if no complete answer arrived. The only outgoing connection of the sandbox, so that a test
 * can replace it.
 */
export type Deliver = (delivery: Delivery) => Promise<ReceiverAnswer>;

/**
 * Delivers over HTTP: one connection per delivery, no redirects, TLS verified, no proxy. The address is checked again
 * when connecting, since a name may resolve to another address than expected (decisions, section 10).
 */
export function httpDeliver(allowed: AllowedHosts, lookup?: typeof systemLookup): Deliver {
  return ({ url, body, signal }) =>
    new Promise((resolve, reject) => {
      const refused = refusedTarget(url, allowed);
      if (refused !== undefined) throw new Error(`the url ${refused}`);
      const target = new URL(url);
      const outgoing = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'shopctl-sandbox',
        },
        agent: false,
        signal,
        ...(allowed.has(target.hostname) ? {} : { lookup: guardedLookup(elsewhere, lookup) }),
      });
      // This listener is never removed: once the answer is complete, later errors of the connection must be ignored.
      outgoing.on('error', reject);
      outgoing.once('response', (incoming) => {
        const status = incoming.statusCode ?? 0;
        const chunks: Buffer[] = [];
        let received = 0;
        const finish = () => resolve({ status, body: Buffer.concat(chunks) });
        incoming.on('error', reject);
        incoming.once('end', finish);
        incoming.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          received += chunk.length;
          if (received > KEPT_BYTES) stop();
        });
        if (status !== 200) stop();

        function stop(): void {
          finish();
          incoming.destroy();
        }
      });
      outgoing.end(body);
    });
}

const elsewhere = (address: string) => (isLoopbackHost(address) ? undefined : 'not to this machine');
