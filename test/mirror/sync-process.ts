import { openMirror } from '../../src/mirror/store/open-mirror.ts';
import { syncAreas } from '../../src/mirror/sync.ts';
import { createTransport } from '../../src/platform/http/undici-transport.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { Secret } from '../../src/platform/settings/secret.ts';

// Run as a process of its own, to be killed: syncs a shop into a mirror, again and again.
const [, , place = '', origin = '', baseUrl = '', apiKey = '', shopId = ''] = process.argv;
const mirror = await openMirror(place, origin);
const { transport } = createTransport();
const signal = new AbortController().signal;
const connection = {
  baseUrl,
  key: () => ({ secret: new Secret(apiKey) }),
  transport,
  random: () => 0.5,
  timeoutMs: 60_000,
  maxRetries: 3,
  userAgent: 'shopctl/test',
  clock: systemClock,
};
process.stdout.write('syncing\n');
for (let isFull = true; ; isFull = !isFull) {
  const setup = { mirror, connection, shopId, clock: systemClock, signal, isFull, timeZone: 'Asia/Ho_Chi_Minh' };
  for await (const { area } of syncAreas(setup)) process.stdout.write(`${area}\n`);
}
