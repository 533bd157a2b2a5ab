import { raiseRevision } from '../../events/store/targets.ts';
import {
  numberOf,
  pieces,
  placeholders,
  type Sql,
  type SqlRow,
  type SqlValue,
  textOf,
  textOrNull,
} from '../../store/sql.ts';
import type { WorkspaceTables } from '../../store/tables.ts';
import { say } from '../actions/texts.ts';
import type { Numbers, Translation } from './copy-table.ts';
import { ofAnAccount } from './moved-tables.ts';

const AT_ONCE = 500;

/** Both workspaces, and how rows of the one become those of the other. */
export interface Joining extends Translation {
  readonly from: Sql;
  readonly to: Sql;
  /** The target, as its own code writes it. */
  readonly target: WorkspaceTables;
  /** The highest numbers of the source. */
  readonly last: Numbers;
}

const listOf = (values: readonly unknown[]) => placeholders(1, values.length);

/** The accounts that have received changes, or listeners and targets for them. */
export async function eventAccounts(sql: Sql): Promise<readonly string[]> {
  const accounts = ofAnAccount.map((table) => `select account from ${table}`).join(' union ');
  return (await sql(accounts)).map((row) => textOf(row, 'account'));
}

const keyOf = (account: string, row: SqlRow, ...columns: readonly string[]) =>
  JSON.stringify([account, ...columns.map((column) => String(row[column]))]);

/**
 * The changes of the source that the target has already, as one that comes through two webhooks: the first of its content
 * is the first there. By their numbers, with the numbers there.
 */
export async function sameEvents({ from, to, accountOf }: Pick<Joining, 'from' | 'to' | 'accountOf'>) {
  const same = new Map<number, number>();
  for (let last = -1; ; ) {
    const page = await from(
      `select seq, account, content, occurrence from events where seq > ? order by seq limit ${AT_ONCE}`,
      [last],
    );
    const contents = page.map((row) => textOf(row, 'content'));
    if (contents.length === 0) return same;
    const own = await to(
      `select seq, account, content, occurrence from events where content in ${listOf(contents)}`,
      contents,
    );
    const there = new Map(
      own.map((row) => [keyOf(textOf(row, 'account'), row, 'content', 'occurrence'), numberOf(row, 'seq')]),
    );
    for (const row of page) {
      last = numberOf(row, 'seq');
      const seq = there.get(keyOf(accountOf(textOf(row, 'account')), row, 'content', 'occurrence'));
      if (seq !== undefined) same.set(last, seq);
    }
  }
}

/** What keeps the changes of a source from joining those of the target; empty if nothing does. */
export async function eventClashes({ from, to, accountOf }: Joining, isFile: boolean): Promise<readonly string[]> {
  const accounts = await eventAccounts(from);
  if (isFile && accounts.length > 1) {
    return [say().move.severalAccounts({ count: accounts.length })];
  }
  const targets = 'select account, name, kind, address, entity, change_type, accept from event_targets';
  const own = new Map((await to(targets)).map((row) => [keyOf(textOf(row, 'account'), row, 'name'), row]));
  return (await from(targets)).flatMap((row) => {
    const beside = own.get(keyOf(accountOf(textOf(row, 'account')), row, 'name'));
    const differs = (column: string) => beside !== undefined && row[column] !== beside[column];
    const isOther = ['kind', 'address', 'entity', 'change_type', 'accept'].some(differs);
    return isOther ? [say().move.otherTarget({ name: textOf(row, 'name') })] : [];
  });
}

/** The listeners whose paths end: the target has one of the same name, which goes on under its own. */
export async function endingPaths({ from, to, accountOf }: Joining): Promise<readonly string[]> {
  const listeners = 'select account, name, secret from event_listeners order by name';
  const own = new Map(
    (await to(listeners)).map((row) => [keyOf(textOf(row, 'account'), row, 'name'), textOf(row, 'secret')]),
  );
  return (await from(listeners)).flatMap((row) => {
    const beside = own.get(keyOf(accountOf(textOf(row, 'account')), row, 'name'));
    return beside !== undefined && beside !== textOf(row, 'secret') ? [textOf(row, 'name')] : [];
  });
}

/** Which changes concern a target, in SQL, and the values in it. */
function concerning(target: SqlRow): readonly [where: string, values: readonly SqlValue[]] {
  const filters = ['entity', 'change_type'].flatMap((column) => {
    const value = textOrNull(target, column);
    return value === null ? [] : [[`${column} = ?`, value] as const];
  });
  return [filters.map(([text]) => ` and ${text}`).join(''), filters.map(([, value]) => value)];
}

/** Lets changes of the target wait for one of its targets; one that was given up waits again. */
async function letWait(
  to: Sql,
  account: string,
  target: SqlRow,
  { where, values }: { readonly where: string; readonly values: readonly SqlValue[] },
): Promise<void> {
  const [concerns, filters] = concerning(target);
  await to(
    `insert into event_handoffs (account, target, seq, record, state, attempts)
      select account, ?, seq, entity || ' ' || record_id, 'waiting', 0 from events where account = ? and ${where}${concerns}
      on conflict (target, seq) do update set state = excluded.state, attempts = 0, first_failed_at = null, next_at = null
        where event_handoffs.state = 'dead'`,
    [textOf(target, 'name'), account, ...values, ...filters],
  );
}

/**
 * Prepares the target for the changes that come, whose numbers follow its own. A target of the same name in both gets from
 * each what it has not accepted there; any other gets what it would have got without the move. So what is below a position
 * and was not accepted waits beside it. Listeners at work take up their targets again.
 */
export async function joinTargets(joining: Joining): Promise<void> {
  const { from, to, accountOf, offsets, last, same } = joining;
  const coming = (await from('select * from event_targets')).map((row) => ({
    row,
    account: accountOf(textOf(row, 'account')),
    cursor: numberOf(row, 'cursor'),
  }));
  const accounts = new Set((await eventAccounts(from)).map(accountOf));
  for (const account of accounts) {
    for (const own of await to('select * from event_targets where account = ?', [account])) {
      const beside = coming.find(({ row, account: of }) => of === account && row.name === own.name);
      await letWait(to, account, own, { where: 'seq > ?', values: [numberOf(own, 'cursor')] });
      await to('update event_targets set cursor = ?, worker = null where account = ? and name = ?', [
        offsets.events + (beside?.cursor ?? last.events),
        account,
        textOf(own, 'name'),
      ]);
    }
    await raiseRevision(joining.target, account);
  }
  for (const { row, account, cursor } of coming) {
    const waiting = [...(same.events ?? [])].flatMap(([seq, there]) => (seq > cursor ? [there] : []));
    for (const some of pieces(waiting, AT_ONCE))
      await letWait(to, account, row, { where: `seq in ${listOf(some)}`, values: some });
  }
}

/**
 * Counts, once the changes are copied, how often each content has come through each webhook: what both workspaces know of
 * one webhook is what the one of them knows that has seen more of it.
 */
export async function joinSightings({ from, to, accountOf, same }: Joining): Promise<void> {
  const contents = new Set(
    (await from('select distinct content from event_sightings')).map((row) => textOf(row, 'content')),
  );
  for (const some of pieces([...(same.events?.keys() ?? [])], AT_ONCE)) {
    for (const row of await from(`select distinct content from events where seq in ${listOf(some)}`, some))
      contents.add(textOf(row, 'content'));
  }
  for (const some of pieces([...contents], AT_ONCE)) {
    const seen = await from(
      `select account, content, hook, sum(n) as n, max(at) as at from (
        select account, content, hook, 1 as n, received_at as at from events where content in ${listOf(some)}
        union all
        select account, content, hook, occurrences as n, seen_at as at from event_sightings
          where content in ${listOf(some)}) as seen group by account, content, hook`,
      [...some, ...some],
    );
    const stored = new Map(
      (
        await to(
          `select account, content, hook, count(*) as n from events where content in ${listOf(some)}
            group by account, content, hook`,
          some,
        )
      ).map((row) => [keyOf(textOf(row, 'account'), row, 'content', 'hook'), numberOf(row, 'n')]),
    );
    for (const row of seen) {
      const account = accountOf(textOf(row, 'account'));
      const more = numberOf(row, 'n') - (stored.get(keyOf(account, row, 'content', 'hook')) ?? 0);
      if (more <= 0) continue;
      await to(
        `insert into event_sightings (account, hook, content, occurrences, seen_at) values (?, ?, ?, ?, ?)
          on conflict (account, content, hook) do update set occurrences = excluded.occurrences, seen_at = excluded.seen_at
            where excluded.occurrences > event_sightings.occurrences`,
        [account, textOf(row, 'hook'), textOf(row, 'content'), more, textOf(row, 'at')],
      );
    }
  }
}
