import { signal } from '@preact/signals';
import type { Changed } from '../wire.ts';

/** How often each group changed, as far as this tab has heard. */
export const changes = signal<Readonly<Record<string, number>>>({});

/** After asking again a page rests so many times as long: what it costs to watch a batch is taken from the batch. */
const REST = 20;
const LEAST_REST_MS = 500;
const MOST_REST_MS = 5000;

let seen = 0;
let asking = 0;
let restsUntil = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const heard = new Set<string>();

function tell(): void {
  timer = undefined;
  const old = changes.value;
  restsUntil = performance.now() + LEAST_REST_MS;
  changes.value = { ...old, ...Object.fromEntries([...heard].map((group) => [group, (old[group] ?? 0) + 1])) };
  heard.clear();
}

/** Tells what was heard, once the page has rested; a tab that nobody sees waits until it is seen. */
function tellSoon(): void {
  if (timer !== undefined || asking > 0 || heard.size === 0 || document.visibilityState !== 'visible') return;
  timer = setTimeout(tell, restsUntil - performance.now());
}

/** Notes that the page asks again; returns what to call when the answer is drawn. */
export function askingAgain(): () => void {
  const began = performance.now();
  asking += 1;
  return () => {
    const now = performance.now();
    asking -= 1;
    restsUntil = Math.max(restsUntil, now + Math.min(REST * (now - began), MOST_REST_MS));
    tellSoon();
  };
}

function hear({ groups, cursor }: Changed): void {
  const missed = seen !== 0 && cursor > seen + 1;
  seen = cursor;
  for (const group of missed ? [...groups, ...Object.keys(changes.value)] : groups) heard.add(group);
  tellSoon();
}

const channel = new BroadcastChannel('shopctl-console');
channel.onmessage = ({ data }: MessageEvent<Changed>) => hear(data);

/** Holds the one stream for all tabs until this one is hidden: a browser opens only six connections to a host. */
function hold(hidden: AbortSignal): Promise<void> {
  return new Promise((release) => {
    const stream = new EventSource('/api/changes');
    stream.onmessage = ({ data }) => {
      const changed: Changed = JSON.parse(data);
      hear(changed);
      channel.postMessage(changed);
    };
    hidden.addEventListener('abort', () => {
      stream.close();
      release();
    });
  });
}

let waiting: AbortController | undefined;

function follow(): void {
  waiting?.abort();
  waiting = undefined;
  if (document.visibilityState !== 'visible') return;
  tellSoon();
  const own = new AbortController();
  waiting = own;
  navigator.locks.request('shopctl-console-stream', { signal: own.signal }, () => hold(own.signal)).catch(() => {});
}

/** Listens for changes while a tab of the console is visible. */
export function listen(): void {
  document.addEventListener('visibilitychange', follow);
  addEventListener('pagehide', () => waiting?.abort());
  follow();
}
