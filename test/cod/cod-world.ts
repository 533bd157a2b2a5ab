import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Imported, importPayments } from '../../src/cod/import-payments.ts';
import { Payments } from '../../src/cod/payments.ts';
import { type Reconciled, type ReconciledParcel, reconcile } from '../../src/cod/reconcile.ts';
import { builtInLayouts } from '../../src/cod/sheet/built-in.ts';
import type { PaymentLayout } from '../../src/cod/sheet/layout.ts';
import type { ReconcileSpan } from '../../src/cod/times-sql.ts';
import type { Mirror } from '../../src/mirror/store/mirror.ts';
import { openMirror } from '../../src/mirror/store/open-mirror.ts';
import { copyPayments } from '../../src/mirror/store/write/copy-payments.ts';
import { daysIn } from '../../src/mirror/store/write/days.ts';
import type { Answers } from '../../src/sheets/account/questions.ts';
import { openWorkspace } from '../../src/store/open-workspace.ts';
import type { MirrorKind } from '../support/mirrors.ts';
import { mirroredOrigin } from '../support/synced-shop.ts';

/** A parcel as a test plants it in a mirror. */
export interface PlantedParcel {
  readonly id: string;
  readonly code: string;
  readonly carrier: string;
  readonly state: string;
  /** Cash at creation and at delivery. */
  readonly cod: number;
  readonly actual: number;
  readonly quoted: number;
  /** ISO 8601, UTC; null for a parcel on its way. */
  readonly closedAt: string | null;
}

export const shopId = '1234567890123456789';

/** A workspace with a mirror, and no service behind it. */
export interface CodWorld {
  readonly payments: Payments;
  readonly mirror: Mirror;
  /** Replaces the parcels of the mirror. */
  plant(parcels: readonly PlantedParcel[]): Promise<void>;
  /** Forgets every file and session. */
  clear(): Promise<void>;
  import(
    name: string,
    content: string | Uint8Array,
    how?: { session?: string; layout?: PaymentLayout; at?: string; answers?: Answers },
  ): Promise<Imported>;
  /** Copies the payments to the mirror; `told` is given every statement. */
  copy(reported?: (sql: string) => void): Promise<number>;
  reconcile(
    span?: Partial<ReconcileSpan>,
    all?: boolean,
  ): Promise<Omit<Reconciled, 'parcels'> & { readonly parcels: readonly ReconciledParcel[] }>;
  close(): Promise<void>;
}

/** Opens a world in one of the mirror's dialects. */
export async function codWorld(kind: MirrorKind): Promise<CodWorld> {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-cod-'));
  const place = await kind.place();
  const isFile = kind.name === 'SQLite';
  const workspacePlace = isFile ? join(directory, 'workspace.db') : place;
  const workspace = await openWorkspace(workspacePlace);
  const mirror = await openMirror(place, mirroredOrigin);
  const payments = new Payments(workspace);
  const run = (sql: string, parameters: readonly unknown[] = []) =>
    mirror.write((session) => session.run(sql, parameters));
  const fulfillments = mirror.dialect.table('fulfillments');
  const copy = (reported?: (sql: string) => void) => {
    const watched: Mirror = {
      ...mirror,
      write: (work) =>
        mirror.write((session) =>
          work({
            ...session,
            run(sql, parameters) {
              reported?.(sql);
              return session.run(sql, parameters);
            },
          }),
        ),
    };
    return copyPayments(watched, isFile ? workspacePlace : undefined, { shopId, at: '2026-11-22T10:00:00.000Z' });
  };
  return {
    payments,
    mirror,
    copy,
    async plant(parcels) {
      await run(`delete from ${fulfillments}`);
      const time = mirror.dialect.name === 'postgres' ? 'cast(? as timestamptz)' : '?';
      for (const { id, code, carrier, state, cod, actual, quoted, closedAt } of parcels) {
        await run(
          `insert into ${fulfillments} (shop_id, id, shipping_code, carrier, shipping_state, cod_amount, actual_cod_amount, shipping_service_fee, closed_at) values (?, ?, ?, ?, ?, ?, ?, ?, ${time})`,
          [shopId, id, code, carrier, state, cod, actual, quoted, closedAt],
        );
      }
    },
    async clear() {
      await workspace.write(async (database) => {
        await database.deleteFrom('cod_lines').execute();
        await database.deleteFrom('cod_files').execute();
        await database.deleteFrom('cod_sessions').execute();
      });
      await copy();
    },
    async import(name, content, { session, layout, at = '2026-11-20T10:00:00.000Z', answers } = {}) {
      const path = join(directory, name);
      writeFileSync(path, content);
      const done = await importPayments(payments, {
        shopId,
        path,
        answers: { session, ...answers },
        layouts: layout === undefined ? builtInLayouts : [layout],
        at,
        signal: new AbortController().signal,
      });
      if ('kind' in done) throw new TypeError(`${done.kind}: ${done.sessions.join(', ')}`);
      return done;
    },
    async reconcile(span = {}, all = true) {
      await copy();
      const { parcels, ...found } = await reconcile(
        mirror,
        {
          shopId,
          overdueBefore: '2026-11-11T00:00:00',
          overdueOf: new Map(),
          dayOf: daysIn('Asia/Ho_Chi_Minh'),
          ...span,
        },
        { all },
      );
      const rows: ReconciledParcel[] = [];
      for await (const row of parcels.rows()) rows.push(row);
      await parcels.close();
      return { ...found, parcels: rows };
    },
    async close() {
      await mirror.close();
      await workspace.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A built-in layout. */
export function builtIn(name: string): PaymentLayout {
  const layout = builtInLayouts.find((one) => one.name === name);
  if (layout === undefined) throw new Error(`no layout ${name}`);
  return layout;
}
