import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { aboutAnything } from '../model.ts';
import type { ActionData, Catalogue, Ran, RunRequest, TableData } from '../wire.ts';
import { Failure } from './messages.tsx';
import { Unfolding, Whole } from './result.tsx';
import { timesChanged, useRun } from './runs.ts';
import { say } from './texts.ts';

/** Whether a record is one of the service, to which things happen. */
export const isId = (record: string) => /^\d{1,19}$/.test(record);

/** The cell of a row's first moment, which orders the time line. */
const momentIn = (row: TableData['rows'][number]) => row.cells.find(({ moment }) => moment !== undefined);

interface Moment {
  /** The moment, to the minute in milliseconds since 1970, and as it is shown. */
  readonly minute: number;
  readonly at: string;
  readonly source: string;
  readonly texts: readonly string[];
  /** What lists it, and its name there. */
  readonly action: ActionData;
  readonly input: RunRequest['input'];
  readonly name: string;
}

/** Times are those of a table, to the minute; ids and numbers of one source count up within it. */
const newestFirst = (one: Moment, other: Moment) =>
  other.minute - one.minute ||
  one.source.localeCompare(other.source) ||
  other.name.localeCompare(one.name, 'en', { numeric: true });

function momentsOf(ran: Ran | undefined, action: ActionData, input: RunRequest['input']): readonly Moment[] {
  if (ran?.kind !== 'list') return [];
  const { table } = ran;
  return table.rows.map((row) => {
    const { text: at = '', moment = 0 } = momentIn(row) ?? {};
    const minute = Math.floor(moment / 60_000);
    const texts = row.cells.map(({ text }) => text).filter((text) => text !== '' && text !== at);
    return { at, minute, source: [action.group, ...action.words].join(' '), texts, action, input, name: row.name };
  });
}

type Tell = (key: string, ran: Ran | undefined) => void;

/** One source of the time line, for a record or one of its parts; draws nothing. */
function Source({ action, field, given, record, again, tell }: SourceProps) {
  const ran = useRun(action.id, { input: { ...given, [field]: record } }, again);
  useEffect(() => tell(`${action.id} ${record}`, ran), [ran]);
  return null;
}

interface SourceProps {
  readonly action: ActionData;
  readonly field: string;
  readonly given: RunRequest['input'];
  readonly record: string;
  readonly again: number;
  readonly tell: Tell;
}

/** Everything about a record and its parts, from each action that lists what happened to one. */
export function TimeLine({ catalogue, record, parts }: TimeLineProps) {
  const again = timesChanged(catalogue.screens.map(({ group }) => group));
  const heard = useSignal<Readonly<Record<string, Ran | undefined>>>({});
  const sources = [record, ...parts].flatMap((about) =>
    aboutAnything(catalogue).map((source) => ({ ...source, about, key: `${source.action.id} ${about}` })),
  );
  const tell: Tell = (key, ran) => {
    heard.value = { ...heard.value, [key]: ran };
  };
  const found = sources.flatMap(({ action, field, given, about, key }) =>
    momentsOf(heard.value[key], action, { ...given, [field]: about }).map((moment) => ({
      ...moment,
      key: JSON.stringify([action.id, moment.name, moment.at, moment.texts]),
    })),
  );
  // A request that names an order and its parcel is one of both.
  const moments = [...new Map(found.map((moment) => [moment.key, moment])).values()].sort(newestFirst);
  const failures = sources.flatMap(({ key }) => {
    const ran = heard.value[key];
    return ran?.kind === 'error' ? [ran.error] : [];
  });
  const isComing = sources.some(({ key }) => heard.value[key] === undefined);
  return (
    <section aria-label={say().timeLine}>
      <h2>{say().timeLine}</h2>
      {sources.map(({ key, about, ...source }) => (
        <Source key={key} {...source} record={about} again={again} tell={tell} />
      ))}
      {[...new Map(failures.map((error) => [error.message, error])).values()].map((error) => (
        <Failure key={error.message} error={error} />
      ))}
      {moments.length === 0 && !isComing && (
        <p class="quiet">
          {say().nothingKnown} <code>shopctl webhooks listen</code>.
        </p>
      )}
      <ol class="time-line">
        {moments.map(({ key, at, source, texts, action, input, name }) => (
          <li key={key}>
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

interface TimeLineProps {
  readonly catalogue: Catalogue;
  readonly record: string;
  readonly parts: readonly string[];
}
