import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { openSqlite } from '../../src/platform/sqlite/sqlite.ts';

const hashOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/** What a database knows of itself: which tables it has, its own name, and from where its ids count. An empty one is as good as none. */
const ofItself = (table: string, row: object) =>
  table === 'schema_steps' ||
  (table === 'meta' && Object.values(row).includes('ledger')) ||
  (table === 'event_facts' && Object.values(row).includes('event_id_base'));

/** The rows of a database, table by table, as JSON, without its bookkeeping; the bytes of its file differ after each opening. */
export async function rowsIn(path: string): Promise<Readonly<Record<string, string>>> {
  const place = mkdtempSync(join(tmpdir(), 'shopctl-rows-'));
  const copy = join(place, 'copy.db');
  for (const end of ['', '-wal']) if (existsSync(`${path}${end}`)) copyFileSync(`${path}${end}`, `${copy}${end}`);
  const database = await openSqlite(copy);
  try {
    const found: Record<string, string> = {};
    const tables = database.prepare("select name from sqlite_schema where type = 'table'").all([]) as {
      name: string;
    }[];
    for (const { name } of tables) {
      const rows = database.prepare(`select * from "${name}"`).all([]) as object[];
      const own = rows.filter((row) => !ofItself(name, row));
      if (own.length > 0)
        found[name] = JSON.stringify(own, (_, value) => (typeof value === 'bigint' ? String(value) : value), 1);
    }
    return found;
  } finally {
    database.close();
    rmSync(place, { recursive: true });
  }
}

/** The rows of databases that were read before, by the hash of their bytes. */
const known = new Map<string, Readonly<Record<string, string>>>();

/** What is stored below the directory of a machine: each file but caches, and each table of a database, with a hash. */
export async function storedFiles(directory: string): Promise<Readonly<Record<string, string>>> {
  const stored: Record<string, string> = {};
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of files.sort()) {
    const name = relative(directory, path);
    if (name.startsWith('cache') || /-(?:shm|wal)$/.test(name)) continue;
    const bytes = hashOf(readFileSync(path));
    if (!name.endsWith('.db')) {
      stored[name] = bytes;
      continue;
    }
    const key = existsSync(`${path}-wal`) ? `${bytes}${hashOf(readFileSync(`${path}-wal`))}` : bytes;
    const rows = known.get(key) ?? (await rowsIn(path));
    known.set(key, rows);
    for (const [table, own] of Object.entries(rows)) stored[`${name} ${table}`] = hashOf(own);
  }
  return stored;
}

/** What differs between two of them. */
export const changedBetween = (
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name]);
