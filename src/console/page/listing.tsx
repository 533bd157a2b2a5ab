import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { isBeside, type Screen } from '../model.ts';
import type { ActionData, Ran, RunRequest } from '../wire.ts';
import { Act } from './act.tsx';
import { filtersOf, inputOf } from './fields.ts';
import { Control } from './form.tsx';
import { Link } from './link.tsx';
import { addressOf, addressWith, columnsIn, filtersIn, focusLeft, go, nameIn, pageIn, place } from './place.ts';
import { Downloads, Result, Unfolding, Whole } from './result.tsx';
import { timesChanged, useForm, useRun } from './runs.ts';
import type { Sorted } from './table.tsx';
import { say } from './texts.ts';

/** Filters that are shown without unfolding. */
const FIRST_FILTERS = 4;

/** The filters of a list, or of another action of the screen; each change begins at the first page. */
export function Filters({ action, of = '', fixed = [] }: FiltersProps) {
  const form = useForm(action.id);
  const given = filtersIn(place.value.query, of);
  if (form === undefined) return null;
  const filters = filtersOf(form.schema, fixed);
  if (filters.length === 0) return null;
  const control = ({ path, schema }: (typeof filters)[number]) => (
    <Control
      key={path}
      name={path}
      schema={schema}
      required={false}
      value={given[path]}
      change={(value) => {
        const text = Array.isArray(value) ? value.join(',') : value === undefined ? '' : String(value);
        go(addressWith({ [nameIn(of, path)]: text }));
      }}
    />
  );
  // On a phone they would fill the screen before the first row: only the words to look for stand there.
  const isPhone = matchMedia('(max-width: 40rem)').matches;
  const shown = isPhone ? filters.filter(({ path }) => path === 'match') : filters.slice(0, FIRST_FILTERS);
  const hidden = filters.filter((filter) => !shown.includes(filter));
  const set = hidden.filter(({ path }) => path in given).length;
  const fold = ({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }) => {
    if (!isPhone) return;
    currentTarget.open = false;
    currentTarget.querySelector('summary')?.focus();
  };
  return (
    <form
      class="filters"
      aria-label={say().filtersOf({ list: action.summary })}
      onSubmit={(event) => event.preventDefault()}
    >
      {shown.map(control)}
      {hidden.length > 0 && (
        <details open={!isPhone && set > 0} onChange={fold}>
          <summary>{say().filtersCounted({ count: hidden.length, set, isPhone })}</summary>
          <div class="filters">{hidden.map(control)}</div>
        </details>
      )}
    </form>
  );
}

interface FiltersProps {
  readonly action: ActionData;
  /** What stands before the names of its fields in the address. */
  readonly of?: string;
  readonly fixed?: readonly string[];
}

/** Why a list may be empty, and what to do first. */
function Empty({ isFiltered, screen, group }: EmptyProps) {
  const create = screen.others.find(({ creates }) => creates);
  if (isFiltered) return <p class="empty">{say().nothingMatches}</p>;
  return (
    <p class="empty">
      {say().nothingYet}{' '}
      {create === undefined ? (
        <>
          <code>shopctl {group} --help</code> {say().saysWhere}
        </>
      ) : (
        say().beginWith({ action: create.summary })
      )}
    </p>
  );
}

interface EmptyProps {
  readonly isFiltered: boolean;
  readonly screen: Screen;
  readonly group: string;
}

type Listed = Extract<Ran, { kind: 'list' }>;

/** The columns to choose from; the choice is in the address. */
function Columns({ ran }: { readonly ran: Listed }) {
  const shown = ran.table.columns.map(({ path }) => path);
  if (ran.fields.length < 2) return null;
  const choose = (path: string, isShown: boolean) => {
    const fields = ran.fields.map((field) => field.path);
    const next = fields.filter((field) => (field === path ? isShown : shown.includes(field)));
    go(addressWith({ columns: next.join(',') }));
  };
  return (
    <Unfolding label={say().columns}>
      {() => (
        <fieldset class="choices">
          <legend>{say().columns}</legend>
          {ran.fields.map(({ path, header }) => (
            <label key={path} title={path}>
              <input
                type="checkbox"
                checked={shown.includes(path)}
                onChange={({ currentTarget }) => choose(path, currentTarget.checked)}
              />{' '}
              {header}
            </label>
          ))}
        </fieldset>
      )}
    </Unfolding>
  );
}

/** A result whose rows can be opened, where there is more to see of them than its columns. */
export function Opening({ ran, action, request, link, sorted, buttons }: OpeningProps) {
  const opened = useSignal<string | undefined>(undefined);
  const isMore = ran.kind === 'list' && link === undefined && ran.fields.length > ran.table.columns.length;
  const { value: name } = opened;
  const inRow =
    !isMore && buttons === undefined
      ? undefined
      : (row: string) => (
          <>
            {isMore && (
              <button type="button" aria-expanded={name === row} onClick={() => (opened.value = row)}>
                {say().show}
              </button>
            )}
            {buttons?.(row)}
          </>
        );
  return (
    <>
      {name !== undefined && (
        <section class="act" aria-label={name}>
          <h3>{name}</h3>
          <Whole action={action} request={{ ...request, row: name }} />
          <button type="button" onClick={() => (opened.value = undefined)}>
            {say().close}
          </button>
        </section>
      )}
      <Result ran={ran} caption={action.summary} link={link} sorted={sorted}>
        {inRow}
      </Result>
    </>
  );
}

interface OpeningProps {
  readonly ran: Ran;
  readonly action: ActionData;
  readonly request: RunRequest;
  readonly link?: ((name: string) => string) | undefined;
  readonly sorted?: Sorted | undefined;
  readonly buttons?: ((name: string) => ComponentChildren) | undefined;
}

/** The order of a list, if its service offers one. */
function useOrder(action: ActionData): Sorted | undefined {
  const values = useForm(action.id)?.schema.properties?.sort?.enum;
  if (values === undefined) return undefined;
  const current = filtersIn(place.value.query).sort ?? values[0] ?? '';
  return { values, current, sort: (value) => go(addressWith({ sort: value })) };
}

/** A page of a list, with the way to the next one; rows that came meanwhile are shown on request. */
export function Listing({ action, group, screen }: ListingProps) {
  const { query } = place.value;
  const filters = filtersIn(query);
  const page = pageIn(query);
  const columns = columnsIn(query);
  const form = useForm(action.id);
  const isReady = Object.keys(filters).length === 0 || form !== undefined;
  const input = { ...inputOf(form?.schema ?? { type: 'object' }, filters), ...page?.input };
  const shown = useSignal(0);
  const now = timesChanged([group]);
  const request = { input, columns, ...(page === undefined ? {} : { from: page.from }) };
  const came = useRun(isReady ? action.id : undefined, request, shown.value);
  const newer = useRun(isReady && now > shown.value ? action.id : undefined, request, now);
  // The rows before stay until the next ones are there: a table that goes and comes back is drawn twice.
  const before = useRef(came);
  before.current = came ?? before.current;
  const ran = before.current;
  if (ran === undefined) return <p role="status">{say().loading}</p>;
  if (ran.kind !== 'list') return <Result ran={ran} />;
  const names = new Set(ran.table.rows.map(({ name }) => name));
  // What changed within the rows is shown at once; only new rows would move the others, if there are any.
  const isNew = ({ name }: { readonly name: string }) => names.size > 0 && !names.has(name);
  const count = newer?.kind === 'list' ? newer.table.rows.filter(isNew).length : 0;
  const table = newer?.kind === 'list' && count === 0 ? newer.table : ran.table;
  return (
    <>
      {count > 0 && (
        <p>
          <button type="button" class="first" onClick={() => (shown.value = now)}>
            {say().newRows({ count })}
          </button>
        </p>
      )}
      {came === undefined && (
        <p role="status" class="loading">
          {say().loading}
        </p>
      )}
      {table.rows.length === 0 && <Empty isFiltered={Object.keys(filters).length > 0} screen={screen} group={group} />}
      <Rows ran={{ ...ran, table }} request={request} action={action} group={group} screen={screen} />
      {came !== undefined && ran.isComing !== true && (
        <Pager ran={ran} filters={filters} group={group} isFirst={page === undefined} />
      )}
      <Columns ran={ran} />
      <Downloads action={action} request={request} />
    </>
  );
}

interface ListingProps {
  readonly action: ActionData;
  readonly group: string;
  readonly screen: Screen;
}

/** The rows, with a link to each record, or with the actions that take what identifies a row. */
function Rows({ ran, request, action, group, screen }: RowsProps) {
  const chosen = useSignal<{ readonly action: ActionData; readonly name: string } | undefined>(undefined);
  const sorted = useOrder(action);
  const isMain = screen.lists[0] === action && screen.record !== undefined;
  const key = ran.table.key;
  const acts = isMain
    ? []
    : screen.others.filter((act) => act.positional[0] === key && !act.reads && isBeside(act, action));
  const toRecord = useCallback((name: string) => addressOf(group, { record: name }), [group]);
  const link = isMain ? toRecord : undefined;
  const buttons =
    acts.length === 0
      ? undefined
      : (name: string) =>
          acts.map((act) => (
            <button key={act.id} type="button" onClick={() => (chosen.value = { action: act, name })}>
              {say().choice(act.words.join(' '))}
            </button>
          ));
  const count = ran.table.rows.length;
  useEffect(focusLeft, [ran.table]);
  return (
    <>
      {chosen.value !== undefined && (
        <Act
          key={`${chosen.value.action.id} ${chosen.value.name}`}
          action={chosen.value.action}
          given={{ [key]: chosen.value.name }}
          done={() => (chosen.value = undefined)}
        />
      )}
      <Opening ran={ran} action={action} request={request} link={link} sorted={sorted} buttons={buttons} />
      <p class="quiet">{say().rows({ count, isComing: ran.isComing === true })}</p>
    </>
  );
}

interface RowsProps extends ListingProps {
  readonly ran: Listed;
  readonly request: RunRequest;
}

function Pager({ ran, filters, group, isFirst }: PagerProps) {
  const { action, query } = place.value;
  if (isFirst && ran.more === undefined) return null;
  const columns = query.get('columns') ?? '';
  const kept = columns === '' ? filters : { ...filters, columns };
  return (
    <nav class="buttons" aria-label={say().pages}>
      {!isFirst && <Link to={addressOf(group, { action, filters: kept })}>{say().firstPage}</Link>}
      {!isFirst && (
        <button type="button" onClick={() => history.back()}>
          {say().back}
        </button>
      )}
      {ran.more !== undefined && (
        <Link to={addressOf(group, { action, filters: kept, page: ran.more })}>{say().nextPage}</Link>
      )}
    </nav>
  );
}

interface PagerProps {
  readonly ran: Listed;
  readonly filters: Readonly<Record<string, string>>;
  readonly group: string;
  readonly isFirst: boolean;
}
