import type { ActionData, Catalogue, Ran, RunRequest, TableData } from '../../wire.ts';
import { timesChanged, useRun } from '../ask/runs.ts';
import { Failure } from '../parts/messages.tsx';
import { Unfolding, Whole } from '../parts/result.tsx';
import { aboutAnything } from './model.ts';

/** Whether a record is one of the service, to which things happen. */
export const isId = (record: string) => /^\d{1,19}$/.test(record);

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
export function TimeLine({ catalogue, record }: { readonly catalogue: Catalogue; readonly record: string }) {
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
