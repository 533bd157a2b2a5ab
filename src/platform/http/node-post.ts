import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { systemClock } from '../process/clock.ts';
import type { Post, PostAnswer, SendPost } from './post.ts';
import { TransportError } from './transport.ts';
import { transportError } from './transport-failure.ts';

const KEPT_BYTES = 64 * 1024;

/** Sends with node:http, which gives control over each write of the body. */
export const sendPost: SendPost = (post) =>
  new Promise<PostAnswer>((resolve, reject) => {
    const url = new URL(post.url);
    const bytes = Buffer.from(post.body);
    const ending = new AbortController();
    let connected = false;
    let sentWhole = false;

    const outgoing = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      agent: false,
      headers: { ...post.headers, 'content-length': bytes.length },
    });
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      post.signal?.removeEventListener('abort', onAbort);
      ending.abort();
      settle();
    };
    const fail = (error: Error) => {
      finish(() => reject(error));
      outgoing.destroy();
    };
    const giveUp = (failure: 'timeout' | 'aborted', message: string) =>
      fail(new TransportError(failure, connected ? 'maybe' : 'no', message));
    const onAbort = () => giveUp('aborted', `the request to ${url.host} was given up`);
    const timer = setTimeout(
      () => giveUp('timeout', `${url.host} did not answer within ${post.timeoutMs / 1000} s`),
      post.timeoutMs,
    );
    post.signal?.addEventListener('abort', onAbort, { once: true });

    // Stays attached: once the response is complete, later errors of the connection do not matter.
    outgoing.on('error', (error) => fail(transportError(error, connected, { host: url.host })));
    outgoing.once('socket', (socket) => {
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        connected = true;
      });
    });
    outgoing.once('response', (incoming) => {
      const early = !sentWhole;
      const chunks: Buffer[] = [];
      let received = 0;
      const answer = () => ({
        status: incoming.statusCode ?? 0,
        headers: Object.fromEntries(
          Object.entries(incoming.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
        ),
        body: Buffer.concat(chunks).subarray(0, KEPT_BYTES),
        early,
      });
      const end = () => {
        const whole = answer();
        finish(() => resolve(whole));
        outgoing.destroy();
      };
      incoming.on('error', (error) => fail(transportError(error, true, { host: url.host })));
      incoming.once('end', end);
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        received += chunk.length;
        if (received > KEPT_BYTES) end();
      });
    });
    sendBody(outgoing, bytes, post, ending.signal).then(
      () => {
        sentWhole = true;
      },
      (error: Error) => {
        if (!ending.signal.aborted) fail(error);
      },
    );
  });

/** Writes the body as the post specifies; the headers are flushed at once if the body takes its time. */
async function sendBody(outgoing: ClientRequest, bytes: Buffer, post: Post, signal: AbortSignal): Promise<void> {
  const { drip = { pieces: 1, pauseMs: 0 }, meanwhile } = post;
  const size = Math.max(1, Math.ceil(bytes.length / drip.pieces));
  if (drip.pieces > 1 || meanwhile !== undefined) outgoing.flushHeaders();
  for (let from = 0; from + size < bytes.length; from += size) {
    outgoing.write(bytes.subarray(from, from + size));
    await systemClock.wait(drip.pauseMs, signal);
  }
  const last = bytes.subarray(Math.floor((bytes.length - 1) / size) * size);
  if (meanwhile === undefined) return void outgoing.end(last);
  outgoing.write(last.subarray(0, -1));
  await meanwhile();
  if (!signal.aborted) outgoing.end(last.subarray(-1));
}
