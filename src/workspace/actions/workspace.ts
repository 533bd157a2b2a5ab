import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { unitDirectory, unitsWritten } from '../../action/service.ts';
import { Refusal } from '../../client/refusal.ts';
import { flag, int, list, oneOf, record, requiring, text } from '../../contract/schema/scalars.ts';
import { openWorkspace, workspacePlace } from '../../ledger/open.ts';
import { cacheOfUser } from '../../platform/process/code-cache.ts';
import { errorCode } from '../../platform/process/error-code.ts';
import { isPostgresAddress, withoutPassword } from '../../store/postgres-address.ts';
import type { Workspace } from '../../store/workspace.ts';
import { movedLedger, moveLedgers, openForMove, sameAddress, separateAddress } from './move-ledgers.ts';
import { say } from './texts.ts';

async function at<Result>(
  ports: Ports,
  look: (workspace: Workspace) => Promise<Result>,
  open: (ports: Ports) => Promise<Workspace> = openWorkspace,
): Promise<Result> {
  const workspace = await open(ports);
  try {
    return await look(workspace);
  } finally {
    await workspace.close();
  }
}

const path = z.object({
  what: text('What it is'),
  path: text('The file or directory, or the address of the database without its password'),
  exists: z.nullable(oneOf(['yes', 'no'], 'Whether it exists; null for a database on a server')),
  holds: text('What it holds'),
});

/** What is installed or stored for this user, one after another: all that removing shopctl would leave. */
function pathsOf(ports: Ports): z.output<typeof path>[] {
  const { env, places, children } = ports;
  const at = (what: string, path: string, holds: string) => ({
    what,
    path,
    exists: existsSync(path) ? ('yes' as const) : ('no' as const),
    holds,
  });
  const place = workspacePlace(ports);
  const texts = say().paths;
  const units = unitDirectory(ports);
  const unitFiles = unitsWritten(ports);
  const config = env.XDG_CONFIG_HOME || (env.HOME && join(env.HOME, '.config'));
  const data = env.XDG_DATA_HOME || (env.HOME && join(env.HOME, '.local', 'share'));
  const cache = cacheOfUser(env);
  const compiled = cache === undefined ? [] : [join(cache, 'shopctl')].filter((each) => each !== places.cache);
  return [
    at(texts.program, children.ownProgram.at(-1) ?? '', texts.programHolds),
    at(texts.settings, places.config, texts.settingsHold),
    at(texts.state, places.state, texts.stateHolds),
    ...(isPostgresAddress(place)
      ? [{ what: texts.workspace, path: withoutPassword(place), exists: null, holds: texts.workspaceHolds }]
      : [at(texts.workspace, place, texts.workspaceHolds)]),
    ...(places.usualState === places.state ? [] : [at(texts.usualState, places.usualState, texts.usualStateHolds)]),
    at(texts.cache, places.cache, texts.cacheHolds),
    ...compiled.map((each) => at(texts.programCache, each, texts.programCacheHolds)),
    ...unitFiles.map((name) => at(texts.unit, join(units ?? '', name), texts.unitHolds)),
    ...(units === undefined || unitFiles.length > 0 ? [] : [at(texts.units, units, texts.unitsHold)]),
    ...(data
      ? [
          at(
            texts.completion,
            join(data, 'bash-completion', 'completions', 'shopctl'),
            texts.completionHolds({ shell: 'bash' }),
          ),
        ]
      : []),
    ...(env.HOME
      ? [at(texts.completion, join(env.HOME, '.zfunc', '_shopctl'), texts.completionHolds({ shell: 'zsh' }))]
      : []),
    ...(config
      ? [
          at(
            texts.completion,
            join(config, 'fish', 'completions', 'shopctl.fish'),
            texts.completionHolds({ shell: 'fish' }),
          ),
        ]
      : []),
  ];
}

const show = action({
  id: 'workspace.show',
  words: ['workspace', 'show'],
  summary: 'Show where batches and events are stored, and how much there is',
  examples: ['shopctl workspace show', 'shopctl workspace show --paths'],
  effect: 'read',
  needs: ['workspace'],
  input: record({ paths: flag('list every place where shopctl has files: settings, state, cache, units, completion') }),
  output: z.object({
    place: text('The file, or the address of the database without its password'),
    shared: oneOf(['yes', 'no'], 'Whether several machines can share it'),
    batches: int('Batches', 'records'),
    rows: int('Rows of batches', 'records'),
    events: int('Changes that came', 'records'),
    paths: z.optional(list(path, 'Where shopctl has files, with --paths')),
  }),
  view: ({ paths }) => ({
    columns:
      paths === true
        ? [
            { path: 'what' },
            { path: 'path', cut: 'never' },
            { path: 'exists', kind: 'state' },
            { path: 'holds', below: 'own-line' },
          ]
        : [
            { path: 'place' },
            { path: 'shared', kind: 'state' },
            ...['batches', 'rows', 'events'].map((path) => ({ path })),
          ],
    name: paths === true ? 'path' : 'place',
    ...(paths === true ? { list: 'paths' } : {}),
  }),
  async run({ paths }, ports) {
    const listed = paths === true ? { paths: pathsOf(ports) } : {};
    const place = workspacePlace(ports);
    // Nothing is made by asking where it would be.
    if (paths === true && !isPostgresAddress(place) && !existsSync(place))
      return { place, shared: 'no' as const, batches: 0, rows: 0, events: 0, ...listed };
    return at(ports, async (workspace) => {
      const count = async (table: 'batches' | 'batch_rows' | 'events') => {
        const { n } = await workspace.read((database) =>
          database
            .selectFrom(table)
            .select((build) => build.fn.countAll().as('n'))
            .executeTakeFirstOrThrow(),
        );
        return Number(n);
      };
      return {
        place: workspace.place,
        shared: workspace.serverTime === undefined ? ('no' as const) : ('yes' as const),
        batches: await count('batches'),
        rows: await count('batch_rows'),
        events: await count('events'),
        ...listed,
      };
    });
  },
});

const check = action({
  id: 'workspace.check',
  words: ['workspace', 'check'],
  summary: 'Check that the stored data is consistent and durable',
  examples: ['shopctl workspace check'],
  effect: 'read',
  needs: ['workspace'],
  input: z.object({}),
  output: list(
    z.object({
      check: text('What was checked'),
      result: oneOf(['ok', 'wrong'], 'Whether it is in order'),
      found: z.nullable(text('What was found instead; null if it is in order')),
    }),
    'What was checked',
  ),
  view: {
    columns: [{ path: 'check', kind: 'state' }, { path: 'result', kind: 'state' }, { path: 'found' }],
    name: 'check',
  },
  run: (_, ports) =>
    at(ports, async (workspace) => {
      const { checkWorkspace } = await import('../../store/check-workspace.ts');
      const found = await checkWorkspace(workspace);
      if (found.some(({ wrong }) => wrong !== undefined)) ports.report.verdict('different');
      return found.map(({ check: looked, wrong }) => ({
        check: looked,
        result: wrong === undefined ? ('ok' as const) : ('wrong' as const),
        found: wrong ?? null,
      }));
    }),
});

const backup = action({
  id: 'workspace.backup',
  words: ['workspace', 'backup'],
  summary: 'Copy the stored data to a new file, even while it is in use',
  description:
    'The copy is a workspace too: the setting workspace can name it. It contains personal data; only you can read it. Back up a database on a server with the server’s own tools.',
  examples: ['shopctl workspace backup workspace-backup.db'],
  effect: 'store',
  undo: { whyNot: 'it only writes the named file' },
  needs: ['workspace'],
  input: requiring({ file: text('the new file') }, {}),
  positional: ['file'],
  hints: { file: { placeholder: 'FILE', from: 'path' } },
  output: requiring({ file: text('The file') }, {}),
  run: ({ file }, ports) =>
    at(ports, async (workspace) => {
      if (workspace.serverTime !== undefined) {
        throw new Refusal('backup_by_server', say().backup.byServer);
      }
      ports.intend({ backup: file });
      const { backUpFile } = await import('../../store/backup-file.ts');
      try {
        await backUpFile(workspace, isAbsolute(file) ? file : join(ports.workingDirectory, file));
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
        throw new Refusal('file_there', say().backup.there({ file }));
      }
      const mappings = join(ports.places.config, 'mappings');
      ports.report.notice(say().backup.without({ mappings, way: ports.ui.advise('use_backup', { file }) }));
      return { file };
    }),
});

const move = action({
  id: 'workspace.move',
  words: ['workspace', 'move'],
  summary: 'Move the ledgers of your accounts to the workspace in use',
  description:
    'An account belongs to one ledger: what was sent is recorded there, so that nothing is sent twice. To use another directory or a database, set SHOPCTL_STATE_DIR or SHOPCTL_WORKSPACE first, then run this command. It moves drafts, batches, payments and received changes, and the old workspace is refused from then on. Moved back to a directory, it begins a new file there, and the old one is renamed. Other shopctl processes must be stopped.',
  examples: [
    'shopctl workspace move',
    'SHOPCTL_WORKSPACE=postgres://shop@db.example/shop shopctl workspace move --yes',
  ],
  effect: 'settings',
  undo: 'workspace move',
  confirm: 'yes',
  needs: ['workspace'],
  input: z.object({}),
  output: list(movedLedger, 'The ledgers that were moved'),
  view: {
    columns: [{ path: 'from' }, { path: 'to' }, { path: 'writes' }, { path: 'batches' }, { path: 'events' }],
    name: 'from',
  },
  run: (_, ports) => at(ports, (workspace) => moveLedgers(workspace, ports), openForMove),
});

/** The database of what shopctl stores. */
export const actions = [show, check, backup, move, sameAddress, separateAddress];
