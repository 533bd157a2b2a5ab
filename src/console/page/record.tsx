import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ActionData, Catalogue, Ran, RunRequest, TableData } from '../wire.ts';
import { Act } from './act.tsx';
import { inputOf } from './fields.ts';
import { Filters, Opening } from './listing.tsx';
import { aboutAnything, type Screen } from './model.ts';
import { Failure, Link } from './parts.tsx';
import { addressOf, filtersIn, place } from './place.ts';
import { Downloads, Result, Unfolding, Whole } from './result.tsx';
import { timesChanged, useForm, useRun } from './runs.ts';

/** Whether a record is one of the service, to which things happen. */
const isId = (record: string) => /^\d{1,19}$/.test(record);

/** The cell of a row's first moment, which orders the time line. */
const momentIn = (table: TableData, row: TableData['rows'][number]) =>
  row.cells[table.columns.findIndex(({ kind }) => kind === 'time')]?.text ?? '';

interface Moment {
  readonly at: string;
  readonly source: string;
  readonly texts: readonly string[];
  /** What lists it, and its name there. */
  readonly action: ActionData;
  readonly input: RunRequest['input'];
  readonly name: string;
}

function momentsOf(ran: Ran | undefined, action: ActionData, input: RunRequest['input']): readonly Moment[] {
  if (ran?.kind !== 'list') return [];
  const { table } = ran;
  return table.rows.map((row) => {
    const at = momentIn(table, row);
    const texts = row.cells.map(({ text }) => text).filter((text) => text !== '' && text !== at);
    return { at, source: [action.group, ...action.words].join(' '), texts, action, input, name: row.name };
  });
}

/** Everything about a record, from each action that lists what happened to one. */
function TimeLine({ catalogue, record }: { readonly catalogue: Catalogue; readonly record: string }) {
  const sources = aboutAnything(catalogue);
  const again = timesChanged(catalogue.screens.map(({ group }) => group));
  const runs = sources.map(({ action, field }) => ({
    action,
    input: { [field]: record },
    ran: useRun(action.id, { input: { [field]: record } }, again),
  }));
  const moments = runs
    .flatMap(({ action, input, ran }) => momentsOf(ran.value, action, input))
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
        {moments.map(({ at, source, texts, action, input, name }, index) => (
          <li key={index}>
            <Unfolding
              label={
                <>
                  <span class="when">{at}</span> <span class="quiet">{source}</span> {texts.slice(0, 6).join(' · ')}
                </>
              }
            >
              {() => <Whole action={action} request={{ input, row: name }} />}
            </Unfolding>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A list that belongs to the record, with its own filters: the rows of a batch. */
function Belonging({ action, field, record }: BelongingProps) {
  const form = useForm(action.id);
  const from = useSignal(0);
  const filters = filtersIn(place.value.query, action.id);
  const schema = form.value?.schema ?? { type: 'object' as const };
  const input = { ...inputOf(schema, filters), [field]: record };
  const asked = JSON.stringify(filters);
  useEffect(() => {
    from.value = 0;
  }, [asked]);
  const request = { input, from: from.value };
  const isReady = form.value !== undefined || Object.keys(filters).length === 0;
  const ran = useRun(isReady ? action.id : undefined, request, timesChanged([action.group])).value;
  const step = (label: string, to: number) => (
    <button type="button" onClick={() => (from.value = to)}>
      {label}
    </button>
  );
  return (
    <section>
      <h2>{action.summary}</h2>
      <Filters action={action} of={action.id} fixed={[field]} />
      {ran === undefined ? <p role="status">Loading …</p> : <Opening ran={ran} action={action} request={request} />}
      <p class="buttons">
        {from.value > 0 && step('First rows', 0)}
        {ran?.kind === 'list' && ran.more !== undefined && step('Next rows', ran.more.from)}
      </p>
    </section>
  );
}

interface BelongingProps {
  readonly action: ActionData;
  readonly field: string;
  readonly record: string;
}

/** One record: its fields, what belongs to it, what can be done with it, and its time line. */
export function RecordScreen({ catalogue, screen, group, title, record }: RecordProps) {
  const show = screen.record;
  const field = show?.positional[0] ?? 'id';
  const chosen = useSignal<ActionData | undefined>(undefined);
  const ran = useRun(show?.id, { input: { [field]: record } }, timesChanged([group]));
  const about = screen.about(field);
  const isList = (action: ActionData) => action.reads && action.shape === 'list' && action.required.length <= 1;
  const acts = about.filter((action) => !isList(action) && !action.isFile);
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
      {ran.value !== undefined && <Result ran={ran.value} caption={title} />}
      {about
        .filter(({ isFile }) => isFile)
        .map((action) => (
          <Downloads key={action.id} action={action} request={{ input: { [field]: record } }} />
        ))}
      {about.filter(isList).map((action) => (
        <Belonging key={action.id} action={action} field={field} record={record} />
      ))}
      {isId(record) && <TimeLine key={record} catalogue={catalogue} record={record} />}
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
