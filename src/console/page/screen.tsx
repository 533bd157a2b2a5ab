import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { screenOf } from '../model.ts';
import type { ActionData, Catalogue } from '../wire.ts';
import { Act } from './act.tsx';
import { inputOf } from './fields.ts';
import { Link } from './link.tsx';
import { Filters, Listing, Opening } from './listing.tsx';
import { addressOf, addressWith, filtersIn, nameIn, place } from './place.ts';
import { RecordScreen } from './record.tsx';
import { Asides, Downloads } from './result.tsx';
import { timesChanged, useForm, useRun } from './runs.ts';
import { say } from './texts.ts';

/** Something that is shown without being asked for anything, or for one of a few things: the clock, a report. */
function Sheet({ action, group, fixed = {} }: SheetProps) {
  const form = useForm(action.id);
  const { [action.choice?.field ?? '']: _, ...filters } = filtersIn(place.value.query, action.id);
  const input = { ...inputOf(form?.schema ?? { type: 'object' }, filters), ...fixed };
  const isReady = form !== undefined || Object.keys(filters).length === 0;
  const request = { input };
  const ran = useRun(isReady ? action.id : undefined, request, timesChanged([action.group]));
  // What another group shows here is asked about there.
  const isGuest = action.group !== group;
  return (
    <section>
      <h2>{isGuest ? <Link to={addressOf(action.group)}>{action.summary}</Link> : action.summary}</h2>
      {!isGuest && <Filters action={action} of={action.id} fixed={Object.keys(fixed)} />}
      {ran?.kind === 'list' && ran.table.rows.length === 0 && <p class="empty">{say().nothingYet}</p>}
      {ran === undefined ? (
        <p role="status">{say().loading}</p>
      ) : (
        <Opening ran={ran} action={action} request={request} />
      )}
      {!isGuest && ran !== undefined && ran.kind !== 'error' && <Downloads action={action} request={request} />}
      {!isGuest && <Asides action={action} input={input} />}
    </section>
  );
}

interface SheetProps {
  readonly action: ActionData;
  readonly group: string;
  readonly fixed?: Readonly<Record<string, string>>;
}

/** One of a few things, each behind a tab; the first without being asked. */
function Choices({ action, group }: { readonly action: ActionData; readonly group: string }) {
  const { field, values } = action.choice ?? { field: '', values: [] };
  const current = filtersIn(place.value.query, action.id)[field] ?? values[0] ?? '';
  return (
    <>
      <nav class="tabs" aria-label={action.summary}>
        {values.map((value) => (
          <Link key={value} to={addressWith({ [nameIn(action.id, field)]: value })} current={value === current}>
            {say().choice(value)}
          </Link>
        ))}
      </nav>
      <Sheet key={current} action={action} group={group} fixed={{ [field]: current }} />
    </>
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
    <nav class="tabs" aria-label={say().lists}>
      {lists.map((list, at) => (
        <Link key={list.id} to={addressOf(group, at === 0 ? {} : { action: list.id })} current={list === current}>
          {say().choice(list.words.join(' ') || list.group)}
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
  useLayoutEffect(() => {
    document.title = say().title({ screen: title });
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
          <summary>{say().actionsCounted({ count: screen.others.length })}</summary>
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
          <Filters key={`filters ${list.id}`} action={list} />
          <Listing key={list.id} action={list} group={group} screen={screen} />
        </>
      )}
      {screen.choices.map((action) => (
        <Choices key={action.id} action={action} group={group} />
      ))}
      {screen.sheets.map((action) => (
        <Sheet key={action.id} action={action} group={group} />
      ))}
    </>
  );
}

interface ScreenProps {
  readonly catalogue: Catalogue;
  readonly group: string;
  readonly title: string;
}
