import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Screen } from '../model.ts';
import type { ActionData, Catalogue } from '../wire.ts';
import { Act } from './act.tsx';
import { inputOf } from './fields.ts';
import { Link } from './link.tsx';
import { Filters, Opening } from './listing.tsx';
import { Command } from './messages.tsx';
import { filtersIn, listBefore, place } from './place.ts';
import { Downloads, Result } from './result.tsx';
import { timesChanged, useForm, useRun } from './runs.ts';
import { say } from './texts.ts';
import { isId, TimeLine } from './time-line.tsx';

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
  const acts = about.filter((action) => !isList(action) && !action.isFile);
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
        <TimeLine key={record} catalogue={catalogue} record={record} parts={ran?.kind === 'record' ? ran.parts : []} />
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
