import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ActionData, FormData, Ran } from '../wire.ts';
import { acknowledge, askResult, errorIn, sendFile } from './ask.ts';
import { type Controls, labelOf, namingControls } from './fields.ts';
import { Inputs, Upload } from './form.tsx';
import { Command, Notices, Sentence } from './messages.tsx';
import { Fields } from './record-fields.tsx';
import { Result } from './result.tsx';
import { useForm } from './runs.ts';
import { say } from './texts.ts';

type Draft = Readonly<Record<string, unknown>>;

/** What a dry run would have sent, with the amounts of money in it. */
function Look({ ran, controls }: { readonly ran: Extract<Ran, { kind: 'look' }>; readonly controls: Controls }) {
  return (
    <section aria-label={say().dryRun}>
      <Notices notices={ran.notices} controls={controls} />
      <h3>{say().willBeSent}</h3>
      {ran.amounts.length > 0 && (
        <div class="amounts">
          <p>{say().amounts}</p>
          <Fields fields={ran.amounts} />
        </div>
      )}
      <Fields fields={ran.fields} />
      <Command text={ran.command} />
      {ran.questions.map((question) => (
        <p key={question}>
          <strong>{question}</strong>
        </p>
      ))}
    </section>
  );
}

/** What a run ended with: a dry run to confirm, a question to answer, a result to close. */
function Outcome({ action, ran, busy, confirm, agree, done, form }: OutcomeProps) {
  if (ran.kind === 'look') {
    return (
      <>
        <Look ran={ran} controls={form?.schema.properties ?? {}} />
        <p class="buttons">
          <button type="button" class="first" disabled={busy} onClick={confirm}>
            {say().doIt({ action: action.summary })}
          </button>
        </p>
      </>
    );
  }
  if (ran.kind === 'asks') {
    return (
      <div class="failure">
        <Notices notices={ran.notices} controls={form?.schema.properties ?? {}} />
        <p>
          <strong>{ran.question}</strong>
        </p>
        <p class="buttons">
          <button type="button" class="first" disabled={busy} onClick={() => agree(ran.question)}>
            {say().yes}
          </button>
          <button type="button" onClick={done}>
            {say().no}
          </button>
        </p>
      </div>
    );
  }
  return (
    <>
      <Result ran={ran} controls={form?.schema.properties ?? {}} />
      {ran.kind !== 'error' && (
        <p class="buttons">
          {!action.reads && <strong>{say().isDone}</strong>}
          <button type="button" class="first" onClick={done}>
            {say().close}
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
  readonly form: FormData | undefined;
}

/** Runs of one action with the draft of its form, and the questions that were agreed to. */
function useRuns(action: ActionData, given: Draft) {
  const draft = useSignal<Draft>(given);
  const ran = useSignal<Ran | undefined>(undefined);
  const files = useSignal<Readonly<Record<string, readonly string[]>>>({});
  const agreed = useSignal<readonly string[]>([]);
  /** How many answers are waited for. */
  const waiting = useSignal(0);
  const isSending = useSignal(false);
  const run = async (look: boolean) => {
    // A second click may come before the button is disabled.
    if (waiting.value > 0) return;
    waiting.value += 1;
    isSending.value = !look && !action.reads;
    const request = { input: draft.value, files: files.value, look, agreed: agreed.value };
    const came = await askResult(action.id, request, isSending.value);
    const wasSent = isSending.value && came.kind !== 'asks';
    isSending.value = false;
    waiting.value -= 1;
    // What was changed meanwhile was neither shown nor agreed to.
    const isChanged = draft.value !== request.input || files.value !== request.files;
    if (wasSent || !isChanged) ran.value = came;
  };
  const send = async (name: string, chosen: readonly File[]) => {
    waiting.value += 1;
    ran.value = undefined;
    files.value = { ...files.value, [name]: [] };
    try {
      const ids = await Promise.all(chosen.map(sendFile));
      files.value = { ...files.value, [name]: ids };
    } catch (thrown) {
      ran.value = { kind: 'error', error: errorIn(thrown), command: '', notices: [] };
    }
    waiting.value -= 1;
  };
  return {
    draft,
    send,
    ran,
    isBusy: waiting.value > 0,
    isSending: isSending.value,
    change(next: Draft) {
      draft.value = next;
      ran.value = undefined;
    },
    /** A write is a dry run first. */
    begin() {
      agreed.value = [];
      void run(!action.reads);
    },
    /** Who has read the questions of a dry run has answered them; any other one is asked. */
    confirm() {
      if (ran.value?.kind === 'look') agreed.value = ran.value.questions;
      void run(false);
    },
    agree(question: string) {
      agreed.value = [...agreed.value, question];
      void run(false);
    },
  };
}

/** Moves the focus to what has appeared, before anybody can press it: a focus that moves later would lose their key. */
function useFocus(ran: Ran | undefined) {
  const heading = useRef<HTMLHeadingElement>(null);
  const outcome = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  useLayoutEffect(() => {
    if (ran !== undefined) outcome.current?.focus();
  }, [ran]);
  return { heading, outcome };
}

/** The fields that a form does not ask for: what is known, however else it is named, and files. */
const fixedIn = ({ aliases, uploads }: ActionData, given: Draft) => {
  const known = Object.keys(given);
  return [...known, ...(known.length > 0 ? aliases : []), ...uploads, 'sandbox'];
};

/** An action with its form: a write is a dry run first, then it is confirmed; its questions are asked word for word. */
export function Act({ action, given, done }: ActProps) {
  const form = useForm(action.id);
  const { draft, ran, isBusy, isSending, change, begin, confirm, agree, send } = useRuns(action, given);
  const { heading, outcome } = useFocus(ran.value);
  const receipt = ran.value?.receipt;
  // After it was painted: only what was shown was told.
  useEffect(() => {
    if (receipt !== undefined) acknowledge(action.id, receipt);
  }, [receipt]);
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
      {action.description !== undefined && (
        <p class="quiet">
          <Sentence text={namingControls(action.description, form?.schema.properties ?? {})} />
        </p>
      )}
      {!isDone && form !== undefined && (
        <form onSubmit={submit}>
          {Object.entries(given).map(([name, value]) => (
            <p key={name}>
              {labelOf(name, form.schema.properties?.[name])}: <strong>{String(value)}</strong>
            </p>
          ))}
          {action.uploads.map((name) => (
            <Upload
              key={name}
              name={name}
              schema={form?.schema.properties?.[name] ?? { type: 'string' }}
              send={(chosen) => send(name, chosen)}
            />
          ))}
          <Inputs schema={form.schema} draft={draft.value} change={change} fixed={fixedIn(action, given)} />
          <p class="buttons">
            <button type="submit" class="first" disabled={isBusy}>
              {action.reads ? say().show : say().dryRun}
            </button>
            <button type="button" disabled={isSending} onClick={done}>
              {say().close}
            </button>
          </p>
        </form>
      )}
      <div ref={outcome} tabIndex={-1} aria-live="polite">
        {isBusy && <p role="status">{say().working}</p>}
        {ran.value !== undefined && (
          <Outcome {...{ action, confirm, agree, done, form }} ran={ran.value} busy={isBusy} />
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
