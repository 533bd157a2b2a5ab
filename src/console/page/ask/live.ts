import { signal } from '@preact/signals';
import type { Changed } from '../../wire.ts';

/** How often each group changed, as far as this tab has heard. */
export const changes = signal<Readonly<Record<string, number>>>({});

let seen = 0;

function hear({ groups, cursor }: Changed): void {
  const missed = seen !== 0 && cursor > seen + 1;
  seen = cursor;
  const old = changes.value;
  const touched = missed ? [...new Set([...groups, ...Object.keys(old)])] : groups;
  changes.value = { ...old, ...Object.fromEntries(touched.map((group) => [group, (old[group] ?? 0) + 1])) };
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
