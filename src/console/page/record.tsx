import { useSignal } from '@preact/signals';
import type { ActionData, Catalogue, Ran, TableData } from '../wire.ts';
import { Act } from './act.tsx';
import { aboutAnything, type Screen } from './model.ts';
import { Command, Failure, Fields, Link, Notices, Table } from './parts.tsx';
import { addressOf } from './place.ts';
import { timesChanged, useRun } from './runs.ts';

/** The cell of a row's first moment, which orders the time line. */
const momentIn = (table: TableData, row: TableData['rows'][number]) =>
  row.cells[table.columns.findIndex(({ kind }) => kind === 'time')]?.text ?? '';

interface Moment {
  readonly at: string;
  readonly source: string;
  readonly texts: readonly string[];
}

function momentsOf(ran: Ran | undefined, source: string): readonly Moment[] {
  if (ran?.kind !== 'list') return [];
  const { table } = ran;
  return table.rows.map((row) => {
    const at = momentIn(table, row);
    const texts = row.cells.map(({ text }) => text).filter((text) => text !== '' && text !== at);
    return { at, source, texts };
  });
}

/** Everything about a record, from each action that lists what happened to one. */
function TimeLine({ catalogue, record }: { readonly catalogue: Catalogue; readonly record: string }) {
  const sources = aboutAnything(catalogue);
  const again = timesChanged(catalogue.screens.map(({ group }) => group));
  const runs = sources.map(({ action, field }) => ({
    action,
    ran: useRun(action.id, { input: { [field]: record } }, again),
  }));
  const moments = runs
    .flatMap(({ action, ran }) => momentsOf(ran.value, [action.group, ...action.words].join(' ')))
    .sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
  const isComing = runs.some(({ ran }) => ran.value === undefined);
  return (
    <section aria-label="Time line">
      <h2>Time line</h2>
      {runs.map(({ action, ran }) =>
        ran.value?.kind === 'error' ? <Failure key={action.id} error={ran.value.error} /> : null,
      )}
      {moments.length === 0 && !isComing && (
        <p class="quiet">
          Nothing is known yet. Changes appear here while a listener runs: <code>shopctl webhooks listen</code>.
        </p>
      )}
      <ol class="time-line">
        {moments.map(({ at, source, texts }, index) => (
          <li key={index}>
            <span class="when">{at}</span> <span class="quiet">{source}</span> {texts.slice(0, 6).join(' · ')}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A list that belongs to the record: the rows of a batch. */
function Belonging({
  action,
  field,
  record,
}: {
  readonly action: ActionData;
  readonly field: string;
  readonly record: string;
}) {
  const ran = useRun(action.id, { input: { [field]: record } }, timesChanged([action.group]));
  return (
    <section aria-label={action.summary}>
      <h2>{action.summary}</h2>
      {ran.value?.kind === 'error' && <Failure error={ran.value.error} />}
      {ran.value?.kind === 'list' && <Table table={ran.value.table} caption={action.summary} />}
      {ran.value?.kind === 'list' && ran.value.more !== undefined && (
        <p class="quiet">These are the first {ran.value.table.rows.length}.</p>
      )}
      {ran.value !== undefined && <Command text={ran.value.command} />}
    </section>
  );
}

/** One record: its fields, what belongs to it, what can be done with it, and its time line. */
export function RecordScreen({ catalogue, screen, group, title, record }: RecordProps) {
  const show = screen.record;
  const field = show?.positional[0] ?? 'id';
  const chosen = useSignal<ActionData | undefined>(undefined);
  const ran = useRun(show?.id, { input: { [field]: record } }, timesChanged([group]));
  const about = screen.about(field);
  const isList = (action: ActionData) => action.reads && action.shape === 'list' && action.required.length <= 1;
  const acts = about.filter((action) => !isList(action));
  return (
    <>
      <p>
        <Link to={addressOf(group)}>← {title}</Link>
      </p>
      <h1 tabIndex={-1}>
        {title}: {record}
      </h1>
      {show === undefined && <p>There is nothing that shows one of these.</p>}
      {chosen.value === undefined && acts.length > 0 && (
        <p class="buttons">
          {acts.map((action) => (
            <button key={action.id} type="button" title={action.summary} onClick={() => (chosen.value = action)}>
              {action.summary}
            </button>
          ))}
        </p>
      )}
      {chosen.value !== undefined && (
        <Act
          key={chosen.value.id}
          action={chosen.value}
          given={{ [field]: record }}
          done={() => (chosen.value = undefined)}
        />
      )}
      {ran.value?.kind === 'error' && <Failure error={ran.value.error} />}
      {ran.value?.kind === 'record' && <Fields fields={ran.value.fields} />}
      {ran.value?.kind === 'list' && <Table table={ran.value.table} caption={title} />}
      {ran.value !== undefined && <Notices notices={ran.value.notices} />}
      {ran.value !== undefined && <Command text={ran.value.command} />}
      {about.filter(isList).map((action) => (
        <Belonging key={action.id} action={action} field={field} record={record} />
      ))}
      <TimeLine key={record} catalogue={catalogue} record={record} />
    </>
  );
}

interface RecordProps {
  readonly catalogue: Catalogue;
  readonly screen: Screen;
  readonly group: string;
  readonly title: string;
  readonly record: string;
}
