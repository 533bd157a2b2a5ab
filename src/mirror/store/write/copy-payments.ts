import type { Mirror, MirrorSession } from '../mirror.ts';
import { addPaymentParcels } from '../payment-parcels.ts';

/** Where the payments are, as a prefix of their tables in SQL. */
const SOURCE = 'payments_of.';

interface Copied {
  readonly id: string;
  readonly version: number;
}

const idsAndVersions = (rows: readonly Readonly<Record<string, unknown>>[]): Copied[] =>
  rows.map(({ id, version }) => ({ id: String(id), version: Number(version) }));

const toCopy = [
  ['payment_files', 'id', 'f.id', ['name', 'layout', 'carrier', 'imported_at', 'rows', 'unread', 'version'], 'f'],
  [
    'payment_lines',
    'file_id',
    'f.id',
    ['line', 'cell', 'session', 'shipping_code', 'fulfillment_id', 'kind', 'amount', 'day', 'repeats', 'late'],
    'l',
  ],
] as const;

/** What is copied, from where and when. */
interface Copying {
  /** Where the tables of payments are, as a prefix of their names. */
  readonly source: string;
  readonly shopId: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

async function copyInto(session: MirrorSession, { dialect }: Mirror, { source, shopId, at }: Copying): Promise<number> {
  const target = dialect.table;
  const time = (text: string) => (dialect.name === 'postgres' ? `cast(${text} as timestamptz)` : text);
  const stored = idsAndVersions(
    await session.run(`select id, version from ${source}cod_files where shop_id = ?`, [shopId]),
  );
  const copies = new Map(
    idsAndVersions(
      await session.run(`select id, version from ${target('payment_files')} where shop_id = ? and deleted_at is null`, [
        shopId,
      ]),
    ).map(({ id, version }) => [id, version]),
  );
  const present = new Set(stored.map(({ id }) => id));
  const gone = [...copies.keys()].filter((id) => !present.has(id));
  const changed = stored.filter(({ id, version }) => copies.get(id) !== version);
  // A sum over lines cannot be taken back, since it also says which came first.
  const addsOnly = gone.length === 0 && changed.every(({ id }) => !copies.has(id));
  for (const { id } of changed) {
    for (const [table, key, from, names, of] of toCopy) {
      await session.run(`delete from ${target(table)} where shop_id = ? and ${key} = ?`, [shopId, id]);
      const values = names.map((name) => (name === 'imported_at' ? time(`${of}.${name}`) : `${of}."${name}"`));
      const lines = of === 'l' ? `join ${source}cod_lines as l on l.file = f.number` : '';
      await session.run(
        `insert into ${target(table)} (shop_id, ${key}, ${names.map((name) => `"${name}"`).join(', ')}, mirrored_at) select f.shop_id, ${from}, ${values.join(', ')}, ${time('?')} from ${source}cod_files as f ${lines} where f.shop_id = ? and f.id = ?`,
        [at, shopId, id],
      );
    }
    if (addsOnly) {
      const ofFile = addPaymentParcels(dialect, 'l.file_id = ? and l.shop_id = ?', 'of one file');
      await session.run(ofFile, [id, shopId]);
    }
  }
  for (const id of gone) {
    for (const [table, key] of toCopy) {
      await session.run(`update ${target(table)} set deleted_at = ${time('?')} where shop_id = ? and ${key} = ?`, [
        at,
        shopId,
        id,
      ]);
    }
  }
  if (!addsOnly) {
    await session.run(`delete from ${target('payment_parcels')} where shop_id = ?`, [shopId]);
    await session.run(addPaymentParcels(dialect, 'l.shop_id = ?'), [shopId]);
  }
  return changed.length + gone.length;
}

/**
 * Copies the payments of a workspace to the mirror, as far as they differ; `place` is the workspace's file, undefined if
 * both are one database. Returns how many files were copied or marked as deleted. Throws a WorkspaceError.
 */
export async function copyPayments(
  mirror: Mirror,
  place: string | undefined,
  { shopId, at }: { readonly shopId: string; readonly at: string },
): Promise<number> {
  if (place === undefined) return mirror.write((session) => copyInto(session, mirror, { source: '', shopId, at }));
  await mirror.read((session) => session.run('attach database ? as payments_of', [place]));
  try {
    return await mirror.write((session) => copyInto(session, mirror, { source: SOURCE, shopId, at }));
  } finally {
    await mirror.read((session) => session.run('detach database payments_of'));
  }
}
