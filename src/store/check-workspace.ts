import { sql } from 'kysely';
import type { Workspace } from './workspace.ts';

/** One check, and what it found wrong, if anything. */
export interface Checked {
  readonly check: string;
  /** How many records are wrong, or the value of a setting; undefined if all is well. */
  readonly wrong: string | undefined;
}

/** Consistency rules between the tables, each as a count of the violations. */
const counts: Readonly<Record<string, string>> = {
  'rows belong to a batch':
    'select count(*) as n from batch_rows as r where not exists (select 1 from batches as b where b.number = r.batch)',
  'rows have their texts':
    'select count(*) as n from batch_rows as r where not exists (select 1 from batch_contents as c where c.batch = r.batch and c.row = r.row)',
  'texts have their row':
    'select count(*) as n from batch_contents as c where not exists (select 1 from batch_rows as r where r.batch = c.batch and r.row = c.row)',
  'finished batches have no open row':
    "select count(*) as n from batches as b where b.state = 'finished' and exists (select 1 from batch_rows as r where r.batch = b.number and r.state in ('planned', 'sending'))",
  'fees stay within their limit': 'select count(*) as n from batches where reserved < 0 or reserved > max_total',
  'changes have their text':
    'select count(*) as n from events as e where not exists (select 1 from event_contents as c where c.seq = e.seq)',
  'texts have their change':
    'select count(*) as n from event_contents as c where not exists (select 1 from events as e where e.seq = c.seq)',
  'handoffs have their change':
    'select count(*) as n from event_handoffs as h where not exists (select 1 from events as e where e.seq = h.seq)',
  'handoffs have their target':
    'select count(*) as n from event_handoffs as h where not exists (select 1 from event_targets as t where t.account = h.account and t.name = h.target)',
};

/** The settings that durability depends on, by dialect: the query and its only acceptable answer. */
const settings = {
  file: [
    ['the file is intact', 'pragma integrity_check', 'ok'],
    ['commits are written through', 'pragma synchronous', '2'],
    ['commits go to a journal first', 'pragma journal_mode', 'wal'],
  ],
  server: [
    ['commits are written through', "select current_setting('synchronous_commit')", 'on'],
    ['the server syncs its files', "select current_setting('fsync')", 'on'],
    ['the server survives half-written pages', "select current_setting('full_page_writes')", 'on'],
  ],
} as const;

/** Checks whether a workspace is consistent and durable. Changes nothing. Throws a WorkspaceError. */
export async function checkWorkspace({ read, serverTime }: Workspace): Promise<Checked[]> {
  const one = async (query: string): Promise<string> => {
    const { rows } = await read((database) => sql.raw<Record<string, unknown>>(query).execute(database));
    return String(Object.values(rows[0] ?? {})[0]);
  };
  const found: Checked[] = [];
  for (const [check, query, good] of settings[serverTime === undefined ? 'file' : 'server']) {
    const value = await one(query);
    found.push({ check, wrong: value === good ? undefined : value });
  }
  for (const [check, query] of Object.entries(counts)) {
    const value = await one(query);
    found.push({ check, wrong: Number(value) === 0 ? undefined : value });
  }
  return found;
}
