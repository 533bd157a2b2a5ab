import { type Transport, TransportError } from '../../src/platform/http/transport.ts';
import type { Clock } from '../../src/platform/process/clock.ts';
import { testMachine } from '../support/context.ts';
import { type SteppedClock, steppedClock } from '../support/stepped-clock.ts';
import type { Deviation } from './service/deviations.ts';
import { SecondService } from './service/service.ts';

/** A run of `conformance`, as a program reads it. */
export interface ConformanceRun {
  readonly exit: number;
  readonly stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read results of every shape
  readonly json: any;
  readonly service: SecondService;
}

/** A machine whose shop is at a second service; `away` are operations that cannot be reached. */
export async function conformanceWorld(deviation?: Deviation, away: readonly string[] = []) {
  const service = new SecondService(deviation);
  const clock: SteppedClock = steppedClock();
  const transport: Transport = async (request) => {
    if (away.some((operation) => request.url.endsWith(operation)))
      throw new TransportError('refused', 'no', 'connection refused');
    return service.handle(request);
  };
  const machine = testMachine(transport);
  const base_url = 'http://127.0.0.1:4010';
  await machine.save({
    version: 1,
    current_profile: 'own',
    profiles: {
      own: { kind: 'shop', base_url, api_key: SecondService.key },
      partner: {
        kind: 'partner',
        base_url,
        api_key: SecondService.partnerKey,
        shops: { [SecondService.shop]: { name: 'Tea', shop_key: SecondService.shopKey } },
        current_shop: SecondService.shop,
      },
    },
  });
  const run = async (
    words: readonly string[],
    more: { readonly clock?: Clock; readonly signal?: AbortSignal } = {},
  ): Promise<ConformanceRun> => {
    const { exit, stdout, stderr } = await machine.run(['conformance', ...words, '--json', '--max-retries', '0'], {
      clock,
      ...more,
    });
    return { exit, stderr, json: stdout === '' ? undefined : JSON.parse(stdout), service };
  };
  return { ...machine, machine, run, service, clock };
}
