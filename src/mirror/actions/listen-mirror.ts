import type { Polling, Ports } from '../../action/ports.ts';
import { saidOnce, wordsOf } from '../../events/actions/listen-webhook.ts';
import { say } from '../texts.ts';
import { mirrorPlace, originInForce, rollupZone, shopInForce } from './place.ts';

/**
 * With a mirror of the shop, syncs it now and then periodically, and stores what no webhook has delivered as changes of
 * its own; returns a way to wait for its end. Does nothing without a mirror, or without the shop's own key.
 */
export async function pollThroughMirror(ports: Ports, polling: Polling): Promise<() => Promise<void>> {
  const { workspace, account, entities, everyMs, signal, webhookSince, onStored } = polling;
  const { settings, clock, report } = ports;
  if (settings.baseUrl === undefined || settings.as?.value !== 'shop') return async () => {};
  if (ports.connection().key('shop-api-key') === undefined) return async () => {};
  const { mirrorExists, openMirror, poll, wasSynced } = await import('../index.ts');
  const place = mirrorPlace(ports);
  if (!mirrorExists(place)) return async () => {};
  const shopId = await shopInForce(ports);
  const mirror = await openMirror(place, originInForce(ports), { waiting: ports.waiting });
  if (!(await wasSynced(mirror, shopId))) {
    await mirror.close();
    return async () => {};
  }
  const sayTrouble = saidOnce(report.say);
  const once = async () => {
    const since = webhookSince();
    const found = await poll({
      mirror,
      connection: { ...ports.connection(), signal },
      shopId,
      clock,
      signal,
      timeZone: rollupZone(ports),
      source: { workspace, account },
      entities,
      webhookSince: since === undefined ? undefined : Date.parse(since),
    });
    if (found.length === 0) return;
    onStored();
    report.say(say().poll.found({ count: found.length }));
  };
  const storePolling = async () => {
    while (!signal.aborted) {
      try {
        await once();
      } catch (error) {
        if (!signal.aborted) sayTrouble(say().poll.failed({ why: wordsOf(error) }));
      }
      await clock.wait(everyMs, signal).catch(() => {});
    }
    await mirror.close();
  };
  const ended = storePolling();
  return () => ended;
}
