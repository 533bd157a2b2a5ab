import { join, resolve } from 'node:path';
import * as z from 'zod';
import { action } from '../../action/action.ts';
import { Refusal } from '../../client/refusal.ts';
import { int, list, oneOf, record, requiring, text, time } from '../../contract/schema/scalars.ts';
import { listFileFormats } from '../../operations/actions/list-to-file.ts';
import { isPostgresAddress, withoutPassword } from '../../store/postgres-address.ts';
import {
  atMirror,
  mirroredAccount,
  mirrorPathAction,
  mirrorPlace,
  originInForce,
  requireMirror,
  requireNoOtherShop,
} from './place.ts';
import { rowsOfQuery, sql, writeRows } from './sql.ts';
import { install, sync, uninstall } from './sync.ts';
import { mirrorSchema, tables } from './tables.ts';
import { verify } from './verify.ts';

const row = z.object({
  area: text('Name of the area, and of its table'),
  records: int('Records that are not deleted', 'records'),
  newest: z.nullable(time('Newest change of a record; null if its records have no time')),
  complete_until: z.nullable(time("The moment up to which it is complete, by the service's clock; null if it is not")),
  verified_through: z.nullable(time('The moment up to which it was compared with the service; null if it never was')),
  age_seconds: z.nullable(int('How long ago the last copy began; null if it was never copied', 's')),
});

/** `mirror status`. */
const status = action({
  id: 'mirror.status',
  words: ['mirror', 'status'],
  summary: 'Show how fresh the mirror is',
  examples: ['shopctl mirror status', 'shopctl mirror status -o json'],
  effect: 'read',
  agents: 'read',
  needs: ['key'],
  page: { beside: 'day' },
  input: record({}),
  output: list(row, 'An area each'),
  view: {
    columns: [
      { path: 'area' },
      { path: 'records', kind: 'number' },
      { path: 'newest', kind: 'time', optional: true },
      { path: 'complete_until', header: 'complete until', kind: 'time' },
      { path: 'verified_through', header: 'verified through', kind: 'time', optional: true },
      { path: 'age_seconds', header: 'age (s)', kind: 'number' },
    ],
    name: 'area',
  },
  async run(_, ports) {
    const { areaStatus, mirrorExists } = await import('../index.ts');
    if (!mirrorExists(mirrorPlace(ports))) {
      ports.report.notice(`nothing was copied yet: ${ports.ui.advise('sync_mirror')}`);
      return [];
    }
    return atMirror(ports, async ({ mirror, shopId }) => {
      const areas = await areaStatus(mirror, shopId, ports.clock.now());
      if (areas.every(({ complete_until }) => complete_until === null)) {
        const isBegun = areas.some(({ records }) => records > 0);
        const { family } = await mirroredAccount(ports);
        const goesOn =
          family === 'partner'
            ? "a partner's key copies the orders that it knows, and no whole list"
            : 'the first copy is not complete yet; it continues where it stopped';
        ports.report.notice(`${isBegun ? goesOn : 'nothing was copied yet'}: ${ports.ui.advise('sync_mirror')}`);
      }
      return areas;
    });
  },
});

/** `mirror export`. */
const exportMirror = action({
  id: 'mirror.export',
  words: ['mirror', 'export'],
  summary: 'Write every table of the mirror to a file of its own',
  description: 'The files are named TABLE.FORMAT; each one is complete or not there at all.',
  examples: ['shopctl mirror export --to backup --format csv'],
  effect: 'store',
  undo: { whyNot: 'it only writes into the named directory' },
  needs: ['key'],
  input: requiring(
    { to: text('the directory') },
    { format: oneOf(listFileFormats, 'the format of the files; csv when absent') },
  ),
  hints: { to: { placeholder: 'DIR', from: 'path' } },
  output: list(z.object({ file: text('The file'), rows: int('How many rows it has', 'rows') }), 'A file each'),
  async run({ to, format }, ports) {
    requireMirror(ports, 'export');
    await requireNoOtherShop(ports);
    ports.intend({ export: to, format: format ?? 'csv' });
    const { describedTables } = await import('../index.ts');
    // Creates what is missing of the schema, so that every table is there.
    await atMirror(ports, async () => {});
    const directory = resolve(ports.workingDirectory, to);
    const files: { file: string; rows: number }[] = [];
    for (const { name, kind } of describedTables()) {
      if (kind === 'view') continue;
      const file = join(directory, `${name}.${format ?? 'csv'}`);
      const { columns, rows } = await rowsOfQuery(`select * from "${name}"`, ports);
      files.push({ file, rows: await writeRows(file, columns, rows) });
    }
    return files;
  },
});

/** `mirror forget`. */
const forget = action({
  id: 'mirror.forget',
  words: ['mirror', 'forget'],
  summary: 'Delete the mirror',
  description:
    'A sync makes it again, except for `history`: the earlier versions of records are deleted for good. Payment files and batches are in the workspace and stay.',
  examples: ['shopctl mirror forget --yes'],
  effect: 'remove',
  undo: { whyNot: 'a sync copies the shop again, but not the earlier versions of its records' },
  needs: [],
  destructive: true,
  input: record({}),
  output: record({ forgotten: text('The mirror that was deleted; null if there was none') }),
  subject: async (_, ports) => ({
    effect: `this deletes the mirror of ${originInForce(ports)}, and with it the history of its records, which no sync brings back`,
  }),
  async run(_, ports) {
    // A damaged mirror does not tell whose records it has; deleting it is the way out.
    await requireNoOtherShop(ports).catch((error) => {
      if (error instanceof Refusal) throw error;
    });
    const place = mirrorPlace(ports);
    const shown = isPostgresAddress(place) ? withoutPassword(place) : place;
    ports.intend({ forget: shown });
    const { forgetMirror } = await import('../index.ts');
    const was = await forgetMirror(place, originInForce(ports), ports.signal);
    ports.report.notice(
      was
        ? `The mirror was deleted, and with it the earlier versions of its records: ${ports.ui.advise('sync_mirror')} again`
        : 'There was no mirror: nothing was deleted',
    );
    return { forgotten: was ? shown : null };
  },
});

/** A copy of the shop in a database. */
export const actions = [
  sync,
  status,
  verify,
  sql,
  tables,
  mirrorSchema,
  exportMirror,
  mirrorPathAction,
  forget,
  install,
  uninstall,
];
