import { join } from 'node:path';
import { type Fields, fieldsIn } from '../../domain/json/values.ts';
import type { Context } from '../context.ts';
import type { Session } from '../session/session.ts';

/** The cached ids of one list, and when it was shown. */
interface Remembered {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly ids: readonly string[];
}

/** By account (see `accountOf`), then by command group. */
type Cache = Fields;

const VALID_FOR_MS = 10 * 60 * 1000;
const MOST_IDS = 100;
const MOST_ACCOUNTS = 8;
/** An id of the service, with nothing that a shell could interpret. */
const ID = /^[0-9]{1,19}$/;

type Where = Pick<Session, 'places' | 'settings'>;

const pathOf = ({ places }: Where) => join(places.cache, 'ids.json');

/** Cached ids are separate for each account: the profile, its kind, the shop and the service. */
function accountOf({ settings }: Where): string {
  const { profileName, as, shop, baseUrl } = settings;
  return [profileName, as, shop, baseUrl].map((setting) => setting?.value ?? '').join(' ');
}

/** An unreadable cache counts as empty. */
async function readCache(context: Context, where: Where): Promise<Cache> {
  try {
    const parsed: unknown = JSON.parse(await context.files.read(pathOf(where)));
    return fieldsIn(parsed);
  } catch {
    return {};
  }
}

function isFresh(entry: unknown, now: number): entry is Remembered {
  const { at, ids } = fieldsIn(entry);
  return typeof at === 'number' && at <= now && now - at < VALID_FOR_MS && Array.isArray(ids);
}

/** Drops expired entries, so that the file stays small. */
function freshOf(cache: Cache, now: number): Record<string, Record<string, Remembered>> {
  const accounts = Object.entries(cache).map(([account, groups]) => {
    const entries = Object.entries(fieldsIn(groups)).flatMap(([group, entry]) =>
      isFresh(entry, now) ? [[group, entry] as const] : [],
    );
    return [account, Object.fromEntries(entries)] as const;
  });
  return Object.fromEntries(accounts.filter(([, groups]) => Object.keys(groups).length > 0).slice(-MOST_ACCOUNTS));
}

/**
 * Caches the ids that a list of a group (`orders`) showed, for completion, for ten minutes; mode 0600. Does nothing
 * without a person at a terminal, and never fails: a cache that cannot be written does not concern the command.
 */
export async function rememberIds(
  context: Context,
  where: Where,
  group: string,
  ids: readonly unknown[],
): Promise<void> {
  if (!context.stdout.isTerminal && !context.stderr.isTerminal) return;
  const known = ids.filter((id): id is string => typeof id === 'string' && ID.test(id)).slice(0, MOST_IDS);
  if (known.length === 0) return;
  try {
    const now = context.clock.now();
    const { [accountOf(where)]: groups, ...others } = freshOf(await readCache(context, where), now);
    const cache: Cache = { ...others, [accountOf(where)]: { ...groups, [group]: { at: now, ids: known } } };
    await context.files.write(pathOf(where), JSON.stringify(cache), 0o600);
  } catch {
    // Nothing to report: the list itself was shown.
  }
}

/** The ids of a group listed in the last ten minutes for the account in force, latest list first. */
export async function recallIds(context: Context, where: Where, group: string): Promise<string[]> {
  const cache = await readCache(context, where);
  const entry = Object.hasOwn(cache, accountOf(where)) ? fieldsIn(cache[accountOf(where)])[group] : undefined;
  if (!isFresh(entry, context.clock.now())) return [];
  return entry.ids.filter((id) => typeof id === 'string' && ID.test(id));
}

/** Passes rows on, and caches their ids once the list has ended or was cut short. */
export async function* rememberingIds<Row>(
  rows: AsyncIterable<Row> | Iterable<Row>,
  remember: (ids: readonly unknown[]) => Promise<void>,
): AsyncGenerator<Row> {
  const ids: unknown[] = [];
  try {
    for await (const row of rows) {
      if (ids.length < MOST_IDS) ids.push(fieldsIn(row).id);
      yield row;
    }
  } finally {
    await remember(ids);
  }
}
