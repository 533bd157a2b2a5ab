import { useSignal } from '@preact/signals';
import type { ErrorData } from '../wire.ts';
import { type Controls, namingControls } from './fields.ts';
import { say } from './texts.ts';

const copyOf = (label: string) => {
  if (label === 'command') return say().copyCommand;
  return label === 'text' ? say().copyText : say().copyAs({ form: label });
};

/** A command, or another text, ready to copy. */
export function Command({ text, label = 'command' }: { readonly text: string; readonly label?: string }) {
  const copied = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text).catch(() => {});
    copied.value = true;
  };
  return (
    <p class="command">
      <code>{text}</code>
      <button type="button" onClick={copy} onBlur={() => (copied.value = false)}>
        {copied.value ? say().copied : copyOf(label)}
      </button>
    </p>
  );
}

/** A sentence, whose commands stand between backticks. */
export function Sentence({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}</>;
}

interface FailureProps {
  readonly error: ErrorData;
  /** The fields of the form that it comes from, which are meant by their flags. */
  readonly controls?: Controls | undefined;
}

/** An error as the command line words it, but for the fields of a form. */
export function Failure({ error, controls = {} }: FailureProps) {
  const { code, operation, outcome, exitCode, fields } = error;
  const named = (text: string) => <Sentence text={namingControls(text, controls, fields)} />;
  const faults = fields.map(({ path, message: what }) => ({ path, text: `${path} ${what}` }));
  // What the message says of several fields one after the other is a list.
  const isList = faults.length > 1 && error.message === faults.map(({ text }) => text).join('; ');
  return (
    <div class="failure" role="alert">
      {!isList && (
        <p>
          <strong>{named(error.message)}</strong>
        </p>
      )}
      {faults.length > 1 && (
        <ul>
          {faults.map(({ path, text }) => (
            <li key={path}>{named(text)}</li>
          ))}
        </ul>
      )}
      {outcome === 'unknown' && <p>{say().mayHaveHappened}</p>}
      {outcome === 'applied' && <p>{say().wasDone}</p>}
      {error.hint !== undefined && <p>{named(error.hint)}</p>}
      <p class="quiet">
        {code}
        {operation === undefined ? '' : ` · ${operation}`} · {say().exit({ code: exitCode })}
      </p>
    </div>
  );
}

/** What a run says besides its result, of the fields of the form that it comes from. */
export function Notices({ notices, controls = {} }: NoticesProps) {
  return (
    <>
      {notices.map((notice) => (
        <p key={notice} class="notice">
          <Sentence text={namingControls(notice, controls)} />
        </p>
      ))}
    </>
  );
}

interface NoticesProps {
  readonly notices: readonly string[];
  readonly controls?: Controls | undefined;
}
