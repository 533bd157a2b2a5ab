import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ActionData, Ran } from '../wire.ts';
import { askRun, errorIn } from './ask.ts';
import { Inputs } from './form.tsx';
import { Command, Failure, Fields, Notices, Table } from './parts.tsx';
import { useForm } from './runs.ts';

type Draft = Readonly<Record<string, unknown>>;

/** The result of a run, whatever its shape. */
export function Result({ ran }: { readonly ran: Ran }) {
  return (
    <>
      {ran.kind === 'error' && <Failure error={ran.error} />}
      {ran.kind === 'list' && <Table table={ran.table} caption="Result" />}
      {ran.kind === 'record' && <Fields fields={ran.fields} />}
      {ran.kind === 'text' && <pre>{ran.text}</pre>}
      <Notices notices={ran.notices} />
      {ran.command !== '' && <Command text={ran.command} />}
    </>
  );
}

/** What a dry run would have sent, with the amounts of money in it. */
function Look({ ran }: { readonly ran: Extract<Ran, { kind: 'look' }> }) {
  return (
    <section aria-label="Dry run">
      <h3>This will be sent</h3>
      {ran.amounts.length > 0 && (
        <div class="amounts">
          <p>Amounts in it:</p>
          <Fields fields={ran.amounts} />
        </div>
      )}
      <Fields fields={ran.fields} />
      <Notices notices={ran.notices} />
      <Command text={ran.command} />
    </section>
  );
}

/** What a run ended with: a dry run to confirm, a question to answer, a result to close. */
function Outcome({ action, ran, busy, confirm, agree, done }: OutcomeProps) {
  if (ran.kind === 'look') {
    return (
      <>
        <Look ran={ran} />
        <p class="buttons">
          <button type="button" class="first" disabled={busy} onClick={confirm}>
            Confirm: {action.summary.toLowerCase()}
          </button>
        </p>
      </>
    );
  }
  if (ran.kind === 'asks') {
    return (
      <div class="failure">
        <p>
          <strong>{ran.question}</strong>
        </p>
        <p class="buttons">
          <button type="button" class="first" disabled={busy} onClick={() => agree(ran.question)}>
            Yes, do it
          </button>
          <button type="button" onClick={done}>
            No
          </button>
        </p>
      </div>
    );
  }
  return (
    <>
      <Result ran={ran} />
      {ran.kind !== 'error' && (
        <p class="buttons">
          {!action.reads && <strong>Done.</strong>}
          <button type="button" class="first" onClick={done}>
            Close
          </button>
        </p>
      )}
    </>
  );
}

interface OutcomeProps {
  readonly action: ActionData;
  readonly ran: Ran;
  readonly busy: boolean;
  readonly confirm: () => void;
  readonly agree: (question: string) => void;
  readonly done: () => void;
}

/** Runs of one action with the draft of its form, and the questions that were agreed to. */
function useRuns(action: ActionData, given: Draft) {
  const draft = useSignal<Draft>(given);
  const ran = useSignal<Ran | undefined>(undefined);
  const agreed = useSignal<readonly string[]>([]);
  const busy = useSignal(false);
  const run = async (look: boolean) => {
    busy.value = true;
    ran.value = await askRun(action.id, { input: draft.value, look, agreed: agreed.value }).catch(
      (thrown: unknown): Ran => ({ kind: 'error', error: errorIn(thrown), command: '', notices: [] }),
    );
    busy.value = false;
  };
  return {
    draft,
    ran,
    busy,
    change(next: Draft) {
      draft.value = next;
      ran.value = undefined;
    },
    /** A write is a dry run first. */
    begin() {
      agreed.value = [];
      void run(!action.reads);
    },
    confirm: () => void run(false),
    agree(question: string) {
      agreed.value = [...agreed.value, question];
      void run(false);
    },
  };
}

/** An action with its form: a write is a dry run first, then it is confirmed; its questions are asked word for word. */
export function Act({ action, given, done }: ActProps) {
  const form = useForm(action.id);
  const { draft, ran, busy, change, begin, confirm, agree } = useRuns(action, given);
  const heading = useRef<HTMLHeadingElement>(null);
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    if (ran.value !== undefined) outcome.current?.focus();
  }, [ran.value]);
  const isDone = ran.value !== undefined && !['look', 'asks', 'error'].includes(ran.value.kind);
  const submit = (event: Event) => {
    event.preventDefault();
    begin();
  };
  return (
    <section class="act" aria-label={action.summary}>
      <h2 ref={heading} tabIndex={-1}>
        {action.summary}
      </h2>
      {action.description !== undefined && <p class="quiet">{action.description}</p>}
      {!isDone && form.value !== undefined && (
        <form onSubmit={submit}>
          {Object.entries(given).map(([name, value]) => (
            <p key={name}>
              {name.replaceAll('_', ' ')}: <strong>{String(value)}</strong>
            </p>
          ))}
          <Inputs
            schema={form.value.schema}
            draft={draft.value}
            change={change}
            fixed={[...Object.keys(given), 'sandbox']}
          />
          <p class="buttons">
            <button type="submit" class="first" disabled={busy.value}>
              {action.reads ? 'Show' : 'Dry run'}
            </button>
            <button type="button" onClick={done}>
              Cancel
            </button>
          </p>
        </form>
      )}
      <div ref={outcome} tabIndex={-1} aria-live="polite">
        {ran.value !== undefined && (
          <Outcome action={action} ran={ran.value} busy={busy.value} confirm={confirm} agree={agree} done={done} />
        )}
      </div>
    </section>
  );
}

interface ActProps {
  readonly action: ActionData;
  /** The fields that are already known: which record it is about. */
  readonly given: Draft;
  readonly done: () => void;
}
