import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { BatchContext, BatchEvent } from '../../src/batch/batch-context.ts';
import { openContext } from '../../src/batch/open-context.ts';
import type { BatchOptions } from '../../src/batch/plan/new-batch.ts';
import { type Planned, type PlanRequest, planBatch } from '../../src/batch/plan/plan.ts';
import { findWork } from '../../src/batch/row-work.ts';
import { type Ran, work } from '../../src/batch/runs.ts';
import type { Connection } from '../../src/client/connection.ts';
import type { Family } from '../../src/contract/operation-id.ts';
import type { Transport } from '../../src/platform/http/transport.ts';
import { Secret } from '../../src/platform/settings/secret.ts';
import type { LeaseTimes } from '../../src/store/leases.ts';
import { fixedRandom, openTestSandbox, type TestSandbox } from '../support/sandbox.ts';
import { type SteppedClock, steppedClock } from '../support/stepped-clock.ts';

/** The header of a sheet of whole orders, with its pickup. */
export const orderHeader = [
  'external_id',
  'shipping_address.full_name',
  'shipping_address.phone',
  'shipping_address.province',
  'shipping_address.district',
  'shipping_address.ward',
  'shipping_address.address1',
  'lines.product_name',
  'lines.quantity',
  'lines.retail_price',
  'shipping.gross_weight',
  'shipping.cod_amount',
  'shipping.try_on',
  'shipping.pickup_address.full_name',
  'shipping.pickup_address.phone',
  'shipping.pickup_address.province',
  'shipping.pickup_address.district',
  'shipping.pickup_address.ward',
  'shipping.pickup_address.address1',
];

const pickup = ['Kho', '0905123456', 'Đà Nẵng', 'Liên Chiểu', 'Hòa Khánh Nam', 'Lô 7'];

/** One order of a sheet; the number makes its recipient another one. */
export function orderCells(number: number, name = `SO-${number}`): string[] {
  const phone = `09${String(10_000_000 + number)}`;
  const place = ['Hà Nội', 'Cầu Giấy', 'Dịch Vọng', `${number} ngõ 5`];
  return [name, `Khách ${number}`, phone, ...place, `Áo ${number}`, '2', '450.000', '500', '900000', 'open', ...pickup];
}

/** A sheet of orders. */
export function orderSheet(rows: readonly (readonly string[])[], header: readonly string[] = orderHeader): string {
  return [header, ...rows].map((row) => `${row.map((cell) => `"${cell}"`).join(',')}\n`).join('');
}

/** So many orders, with names of their own or without; the first one has this number. */
export function manyOrders(count: number, named = true, first = 1): string {
  return orderSheet(Array.from({ length: count }, (_, index) => orderCells(index + first, named ? undefined : '')));
}

export const plainOptions: BatchOptions = { carriers: [], blankClears: false, pick: 'cheapest' };

/** An order as the referee sees it. */
export interface RefereedOrder {
  readonly shipping?: { readonly shipping_service_fee?: number };
  readonly id: string;
  readonly external_id: string;
  readonly status: string;
  readonly shipping_address: { readonly phone: string };
}

type ClosableContext = BatchContext & { close(): Promise<void> };

interface ContextChanges {
  readonly family?: Family;
  readonly signal?: AbortSignal;
  readonly concurrency?: number;
  readonly maxOutageMs?: number;
  /** Where the workspace is; else one of the world's own. */
  readonly workspace?: string;
  readonly baseUrl?: string;
  readonly lease?: LeaseTimes;
}

type PlanChanges = Partial<PlanRequest> & {
  readonly do?: string;
  readonly name?: string;
  readonly context?: BatchContext;
};

/** A sandbox, a workspace and a way to plan and run files in this process. */
export interface BatchWorld {
  readonly service: TestSandbox;
  readonly directory: string;
  readonly clock: SteppedClock;
  readonly events: BatchEvent[];
  /** Stands between the batch and the service; to be set by a test. */
  between: (transport: Transport) => Transport;
  context(changes?: ContextChanges): Promise<ClosableContext>;
  plan(content: string, changes?: PlanChanges): Promise<Planned>;
  /** Plans and runs; a batch that is known is gone on with. */
  run(content: string, changes?: PlanChanges): Promise<Ran>;
  /** All live orders of the shop, asked of the service and of nobody else. */
  orders(): Promise<RefereedOrder[]>;
}

let made = 0;

/** Where worlds have their workspaces: a file each, unless a test file says otherwise before its first test. */
export const places = {
  next: async (directory: string): Promise<string> => join(directory, 'workspace.db'),
};

export async function batchWorld(family: Family = 'partner'): Promise<BatchWorld> {
  const service = await openTestSandbox();
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-batch-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const clock = steppedClock();
  const events: BatchEvent[] = [];
  made += 1;
  const randomBytes = fixedRandom(`batch world ${made}`);
  const { shop, shopKey } = service;
  const place = await places.next(directory);
  const world: BatchWorld = {
    service,
    directory,
    clock,
    events,
    between: (transport) => transport,
    async context({ family: own = family, signal = new AbortController().signal, ...rest } = {}) {
      const connection: Connection = {
        baseUrl: rest.baseUrl ?? 'http://127.0.0.1:4010',
        key: (credential) =>
          credential === 'partner-api-key'
            ? undefined
            : { secret: new Secret(credential === 'shop-key' ? shopKey : shop.apiKey), shop: shop.id },
        transport: (request) => world.between(service.sandbox.handle)(request),
        clock,
        random: () => 0.5,
        timeoutMs: 60_000,
        maxRetries: 2,
        userAgent: 'shopctl/test',
      };
      return openContext({
        workspace: rest.workspace ?? place,
        lease: rest.lease,
        family: own,
        connection,
        signal,
        randomBytes,
        tell: (event) => void events.push(event),
        concurrency: rest.concurrency,
        maxOutageMs: rest.maxOutageMs,
      });
    },
    async plan(content, { do: words = 'ship', name = 'orders.csv', context, ...changes } = {}) {
      const own = context ?? (await world.context());
      async function* bytes() {
        yield Buffer.from(content);
      }
      return planBatch(own, {
        source: { name, bytes: bytes() },
        work: await findWork(words, own.account.family),
        options: plainOptions,
        ignored: [],
        skipBad: false,
        meeting: { again: false },
        isLookupOnly: false,
        ...changes,
      });
    },
    async run(content, changes = {}) {
      const context = changes.context ?? (await world.context());
      try {
        const planned = await world.plan(content, { ...changes, context });
        try {
          return await work(context, planned.batch, await findWork(planned.batch.do, context.account.family));
        } finally {
          planned.release();
        }
      } finally {
        if (changes.context === undefined) await (context as ClosableContext).close();
      }
    },
    async orders() {
      const all: RefereedOrder[] = [];
      for (let after = '.'; ; ) {
        const { body } = await service.post('shop.Order/ListOrders', { paging: { after } }, shop.apiKey);
        all.push(...body.orders);
        if (body.orders.length === 0) break;
        after = body.paging.next;
      }
      return all.filter(({ status }) => status !== 'N');
    },
  };
  return world;
}
