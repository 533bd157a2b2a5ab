import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { aboutAnything, type Screen } from '../model.ts';
import type { ActionData, Catalogue, ErrorData, Ran, RunRequest, TableData } from '../wire.ts';
import { Act } from './act.tsx';
import { inputOf } from './fields.ts';
import { Link } from './link.tsx';
import { Filters, Opening } from './listing.tsx';
import { Command, Failure } from './messages.tsx';
import { filtersIn, listBefore, place } from './place.ts';
import { Downloads, Result, Unfolding, Whole } from './result.tsx';
import { timesChanged, useForm, useRun } from './runs.ts';
import { say } from './texts.ts';

/** Whether a record is one of the service, to which things happen. */
export const isId = (record: string) => /^\d{1,19}$/.test(record);

/** Whether a text is an id as people do not read it. */
const isLongId = (text: string) => /^\d{15,19}$/.test(text);

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
    // Times and ids are in what opens: the line says what happened.
    const words = row.cells.filter(({ text, moment: time }) => text !== '' && time === undefined && !isLongId(text));
    const texts = words.map(({ text }) => text);
    return { at, minute, source: [action.group, ...action.words].join(' '), texts, action, input, name: row.name };
  });
}

/** The exit code of what was not found. */
const NOT_FOUND = 3;

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

/** What went wrong, each once; a source that does not know the record has nothing to tell of it. */
function failuresIn(all: readonly (Ran | undefined)[]): readonly ErrorData[] {
  const errors = all.flatMap((ran) => (ran?.kind === 'error' && ran.error.exitCode !== NOT_FOUND ? [ran.error] : []));
  return [...new Map(errors.map((error) => [error.message, error])).values()];
}

/** What happened, line by line, each of which opens. */
function Moments({ moments, catalogue }: { readonly moments: readonly KeyedMoment[]; readonly catalogue: Catalogue }) {
  const sourceOf = ({ group, words }: ActionData) =>
    say().source({
      screen: catalogue.screens.find((screen) => screen.group === group)?.title ?? group,
      words: [group, ...words].join(' '),
    });
  return (
    <ol class="time-line">
      {moments.map(({ key, at, texts, action, input, name }) => (
        <li key={key}>
          <Unfolding
            label={
              <>
                <span class="when">{at}</span> <span class="quiet">{sourceOf(action)}</span>{' '}
                {texts.slice(0, 6).join(' · ')}
              </>
            }
          >
            {() => <Whole action={action} request={{ input, row: name }} />}
          </Unfolding>
        </li>
      ))}
    </ol>
  );
}

type KeyedMoment = Moment & { readonly key: string };

/**
 * Everything about a record and its parts, from each action that lists what happened to one; where none has anything,
 * what the service says of it.
 */
export function TimeLine({ catalogue, record, parts, telling }: TimeLineProps) {
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
  const known = [...new Map(found.map((moment) => [moment.key, moment])).values()].sort(newestFirst);
  const failures = failuresIn(sources.map(({ key }) => heard.value[key]));
  const asked = known.length > 0 || sources.some(({ key }) => heard.value[key] === undefined) ? [] : telling;
  const ofStory = asked.map((action) => ({
    action,
    field: action.tells?.of ?? '',
    given: {},
    key: `${action.id} ${record}`,
  }));
  const ofService = ofStory.flatMap(({ action, field, key }) =>
    momentsOf(heard.value[key], action, { [field]: record }).map((moment, at) => ({ ...moment, key: `${key} ${at}` })),
  );
  const moments = known.length > 0 ? known : ofService.toReversed();
  const isComing = [...sources, ...ofStory].some(({ key }) => heard.value[key] === undefined);
  return (
    <section aria-label={say().timeLine}>
      <h2>{say().timeLine}</h2>
      {sources.map(({ key, about, ...source }) => (
        <Source key={key} {...source} record={about} again={again} tell={tell} />
      ))}
      {ofStory.map(({ key, ...source }) => (
        <Source key={key} {...source} record={record} again={again} tell={tell} />
      ))}
      {failures.map((error) => (
        <Failure key={error.message} error={error} />
      ))}
      {moments.length === 0 && !isComing && (
        <p class="quiet">
          {say().nothingKnown} <code>shopctl webhooks listen</code>.
        </p>
      )}
      <Moments moments={moments} catalogue={catalogue} />
    </section>
  );
}

interface TimeLineProps {
  readonly catalogue: Catalogue;
  readonly record: string;
  readonly parts: readonly string[];
  /** What tells its story, for a person. */
  readonly telling: readonly ActionData[];
}

/** A list that belongs to the record, with its own filters: the rows of a batch. */
function Belonging({ action, field, record }: BelongingProps) {
  const form = useForm(action.id);
  const from = useSignal(0);
  const filters = filtersIn(place.value.query, action.id);
  const schema = form?.schema ?? { type: 'object' as const };
  const input = { ...inputOf(schema, filters), [field]: record };
  const asked = JSON.stringify(filters);
  useEffect(() => {
    from.value = 0;
  }, [asked]);
  const request = { input, from: from.value };
  const isReady = form !== undefined || Object.keys(filters).length === 0;
  const ran = useRun(isReady ? action.id : undefined, request, timesChanged([action.group]));
  const step = (label: string, to: number) => (
    <button type="button" onClick={() => (from.value = to)}>
      {label}
    </button>
  );
  return (
    <section>
      <h2>{action.summary}</h2>
      <Filters action={action} of={action.id} fixed={[field]} />
      {ran === undefined ? (
        <p role="status">{say().loading}</p>
      ) : (
        <Opening ran={ran} action={action} request={request} />
      )}
      <p class="buttons">
        {from.value > 0 && step(say().firstRows, 0)}
        {ran?.kind === 'list' && ran.more !== undefined && step(say().nextRows, ran.more.from)}
      </p>
    </section>
  );
}

interface BelongingProps {
  readonly action: ActionData;
  readonly field: string;
  readonly record: string;
}

/** What an action says of the record in a sentence, ready to copy. */
function Sentence({ action, record }: { readonly action: ActionData; readonly record: string }) {
  const { of, given, title } = action.tells ?? { of: '', given: {}, title: '' };
  const ran = useRun(action.id, { input: { ...given, [of]: record } }, timesChanged([action.group]));
  return ran?.kind !== 'text' ? null : (
    <section aria-label={title}>
      <h2>{title}</h2>
      <Command text={ran.text} label="text" />
    </section>
  );
}

const Sentences = ({ actions, record }: { readonly actions: readonly ActionData[]; readonly record: string }) => (
  <>
    {actions.map((action) => (
      <Sentence key={action.id} action={action} record={record} />
    ))}
  </>
);

/** One record: its fields, what belongs to it, what can be done with it, and its time line. */
export function RecordScreen({ catalogue, screen, group, title, record }: RecordProps) {
  const show = screen.record;
  const field = show?.positional[0] ?? 'id';
  const chosen = useSignal<ActionData | undefined>(undefined);
  const ran = useRun(show?.id, { input: { [field]: record } }, timesChanged([group]));
  const about = screen.about(field);
  const isList = (action: ActionData) => action.reads && action.shape === 'list' && action.required.length <= 1;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const named = ran?.kind === 'record' ? (ran.layout?.title ?? '') : '';
  const telling = catalogue.actions.filter((action) => action.tells !== undefined && action.group === group);
  // Nothing can be done with what is not there.
  const isMissing = ran?.kind === 'error' && ran.error.exitCode === NOT_FOUND;
  const without = ran?.kind === 'record' ? (ran.without ?? []) : [];
  const acts = isMissing
    ? []
    : about.filter((action) => !isList(action) && !action.isFile && !without.includes(action.id));
  return (
    <>
      <p>
        <Link to={listBefore(group)}>← {title}</Link>
      </p>
      <h1 ref={heading} tabIndex={-1}>
        {title}: {named === '' ? record : named}
      </h1>
      {named !== '' && named !== record && <p class="quiet">{record}</p>}
      {show === undefined && <p>{say().nothingShows}</p>}
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
      {ran !== undefined && <Result ran={ran} caption={title} said={<Sentences actions={telling} record={record} />} />}
      {about
        .filter(({ isFile }) => isFile)
        .map((action) => (
          <Downloads key={action.id} action={action} request={{ input: { [field]: record } }} />
        ))}
      {about.filter(isList).map((action) => (
        <Belonging key={action.id} action={action} field={field} record={record} />
      ))}
      {isId(record) && (
        <TimeLine key={record} {...{ catalogue, record, telling }} parts={ran?.kind === 'record' ? ran.parts : []} />
      )}
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
