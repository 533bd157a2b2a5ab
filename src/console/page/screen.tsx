import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ActionData, Catalogue, Ran } from '../wire.ts';
import { Act } from './act.tsx';
import { filtersOf, inputOf } from './fields.ts';
import { Control } from './form.tsx';
import { isBeside, type Screen, screenOf } from './model.ts';
import { Command, Failure, Fields, Link, Notices, Table } from './parts.tsx';
import { addressOf, filtersIn, go, pageIn, place } from './place.ts';
import { RecordScreen } from './record.tsx';
import { timesChanged, useForm, useRun } from './runs.ts';

/** Filters that are shown without unfolding. */
const FIRST_FILTERS = 4;

/** The filters of a list; each change begins at the first page. */
function Filters({ action, group }: { readonly action: ActionData; readonly group: string }) {
  const form = useForm(action.id);
  const given = filtersIn(place.value.query);
  if (form.value === undefined) return null;
  const filters = filtersOf(form.value.schema, []);
  const control = ({ path, schema }: (typeof filters)[number]) => (
    <Control
      key={path}
      name={path}
      schema={schema}
      required={false}
      value={given[path]}
      change={(value) => {
        const { [path]: _, ...others } = given;
        const text = Array.isArray(value) ? value.join(',') : value === undefined ? '' : String(value);
        go(
          addressOf(group, { action: place.value.action, filters: text === '' ? others : { ...others, [path]: text } }),
        );
      }}
    />
  );
  const hidden = filters.slice(FIRST_FILTERS);
  return (
    <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      {filters.slice(0, FIRST_FILTERS).map(control)}
      {hidden.length > 0 && (
        <details open={hidden.some(({ path }) => path in given)}>
          <summary>More filters ({hidden.length})</summary>
          <div class="filters">{hidden.map(control)}</div>
        </details>
      )}
    </form>
  );
}

/** Why a list may be empty, and what to do first. */
function Empty({ isFiltered, screen }: { readonly isFiltered: boolean; readonly screen: Screen }) {
  const create = screen.others.find(({ reads }) => !reads);
  return (
    <p class="empty">
      {isFiltered
        ? 'Nothing matches these filters. Clear a filter, or look at a longer time.'
        : `There is nothing here yet.${create === undefined ? '' : ` Begin with “${create.summary}”.`}`}
    </p>
  );
}

type Listed = Extract<Ran, { kind: 'list' }>;

/** A page of a list, with the way to the next one; rows that came meanwhile are shown on request. */
function Listing({
  action,
  group,
  screen,
}: {
  readonly action: ActionData;
  readonly group: string;
  readonly screen: Screen;
}) {
  const { query } = place.value;
  const filters = filtersIn(query);
  const page = pageIn(query);
  const form = useForm(Object.keys(filters).length === 0 ? undefined : action.id);
  const isReady = Object.keys(filters).length === 0 || form.value !== undefined;
  const input = { ...inputOf(form.value?.schema ?? { type: 'object' }, filters), ...page?.input };
  const shown = useSignal(0);
  const now = timesChanged([group]);
  const request = { input, ...(page === undefined ? {} : { from: page.from }) };
  const ran = useRun(isReady ? action.id : undefined, request, shown.value).value;
  const newer = useRun(isReady && now > shown.value ? action.id : undefined, request, now).value;
  if (ran === undefined) return <p role="status">Loading …</p>;
  if (ran.kind === 'error') return <WithCommand ran={ran} />;
  if (ran.kind !== 'list') return <WithCommand ran={ran} />;
  const names = new Set(ran.table.rows.map(({ name }) => name));
  const count = newer?.kind === 'list' ? newer.table.rows.filter(({ name }) => !names.has(name)).length : 0;
  const refresh = () => {
    shown.value = now;
  };
  // What changed within the rows is shown at once; only new rows would move the others.
  const table = newer?.kind === 'list' && count === 0 ? newer.table : ran.table;
  return (
    <>
      {count > 0 && (
        <p>
          <button type="button" class="first" onClick={refresh}>
            {count} new
          </button>
        </p>
      )}
      {table.rows.length === 0 ? (
        <Empty isFiltered={Object.keys(filters).length > 0} screen={screen} />
      ) : (
        <Rows ran={ran} table={table} action={action} group={group} screen={screen} />
      )}
      <Pager ran={ran} filters={filters} group={group} isFirst={page === undefined} />
      <Notices notices={ran.notices} />
      <Command text={ran.command} />
    </>
  );
}

function WithCommand({ ran }: { readonly ran: Ran }) {
  return (
    <>
      {ran.kind === 'error' && <Failure error={ran.error} />}
      {ran.kind === 'record' && <Fields fields={ran.fields} />}
      {ran.kind === 'text' && <pre>{ran.text}</pre>}
      <Notices notices={ran.notices} />
      {ran.command !== '' && <Command text={ran.command} />}
    </>
  );
}

/** The rows, with a link to each record, or with the actions that take what identifies a row. */
function Rows({ ran, table, action, group, screen }: RowsProps) {
  const chosen = useSignal<{ readonly action: ActionData; readonly name: string } | undefined>(undefined);
  const isMain = screen.lists[0] === action && screen.record !== undefined;
  const key = table.key;
  const acts = isMain
    ? []
    : screen.others.filter((act) => act.positional[0] === key && !act.reads && isBeside(act, action));
  const link = isMain ? (name: string) => addressOf(group, { record: name }) : undefined;
  const buttons =
    acts.length === 0
      ? undefined
      : (name: string) =>
          acts.map((act) => (
            <button key={act.id} type="button" onClick={() => (chosen.value = { action: act, name })}>
              {act.words.join(' ')}
            </button>
          ));
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
      <Table table={table} caption={action.summary} link={link}>
        {buttons}
      </Table>
      <p class="quiet">
        {ran.table.rows.length} {ran.table.rows.length === 1 ? 'row' : 'rows'}
      </p>
    </>
  );
}

interface RowsProps {
  readonly ran: Listed;
  readonly table: Listed['table'];
  readonly action: ActionData;
  readonly group: string;
  readonly screen: Screen;
}

function Pager({ ran, filters, group, isFirst }: PagerProps) {
  const action = place.value.action;
  if (isFirst && ran.more === undefined) return null;
  return (
    <nav class="buttons" aria-label="Pages">
      {!isFirst && <Link to={addressOf(group, { action, filters })}>First page</Link>}
      {!isFirst && (
        <button type="button" onClick={() => history.back()}>
          Back
        </button>
      )}
      {ran.more !== undefined && <Link to={addressOf(group, { action, filters, page: ran.more })}>Next page</Link>}
    </nav>
  );
}

interface PagerProps {
  readonly ran: Listed;
  readonly filters: Readonly<Record<string, string>>;
  readonly group: string;
  readonly isFirst: boolean;
}

/** Something that is shown without being asked for anything, such as the clock. */
function Sheet({ action }: { readonly action: ActionData }) {
  const ran = useRun(action.id, { input: {} }, timesChanged([action.group])).value;
  return (
    <section aria-label={action.summary}>
      <h2>{action.summary}</h2>
      {ran === undefined ? <p role="status">Loading …</p> : <WithCommand ran={ran} />}
    </section>
  );
}

/** The lists of a group as tabs, where it has several. */
function Tabs({
  lists,
  group,
  current,
}: {
  readonly lists: readonly ActionData[];
  readonly group: string;
  readonly current: ActionData | undefined;
}) {
  if (lists.length < 2) return null;
  return (
    <nav class="tabs" aria-label="Lists">
      {lists.map((list, at) => (
        <Link key={list.id} to={addressOf(group, at === 0 ? {} : { action: list.id })} current={list === current}>
          {list.words.join(' ') || list.group}
        </Link>
      ))}
    </nav>
  );
}

/** The screen of a group. */
export function GroupScreen({ catalogue, group, title }: ScreenProps) {
  const { record, action: asked } = place.value;
  const screen = screenOf(catalogue, group);
  const list = screen.lists.find(({ id }) => id === asked) ?? screen.lists[0];
  const chosen = useSignal<ActionData | undefined>(undefined);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · shopctl console`;
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  if (record !== undefined) {
    return (
      <RecordScreen key={record} catalogue={catalogue} screen={screen} group={group} title={title} record={record} />
    );
  }
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {screen.others.length > 0 && chosen.value === undefined && (
        <details class="acts" open={screen.lists.length + screen.sheets.length === 0}>
          <summary>Actions ({screen.others.length})</summary>
          <p class="buttons">
            {screen.others.map((action) => (
              <button key={action.id} type="button" onClick={() => (chosen.value = action)}>
                {action.summary}
              </button>
            ))}
          </p>
        </details>
      )}
      {chosen.value !== undefined && (
        <Act key={chosen.value.id} action={chosen.value} given={{}} done={() => (chosen.value = undefined)} />
      )}
      <Tabs lists={screen.lists} group={group} current={list} />
      {list !== undefined && (
        <>
          <Filters key={`filters ${list.id}`} action={list} group={group} />
          <Listing key={list.id} action={list} group={group} screen={screen} />
        </>
      )}
      {screen.sheets.map((action) => (
        <Sheet key={action.id} action={action} />
      ))}
    </>
  );
}

interface ScreenProps {
  readonly catalogue: Catalogue;
  readonly group: string;
  readonly title: string;
}
