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

interface FailureProps {
  readonly error: ErrorData;
  /** The fields of the form that it comes from, which are meant by their flags. */
  readonly controls?: Controls | undefined;
}

/** An error as the command line words it, but for the fields of a form. */
export function Failure({ error, controls = {} }: FailureProps) {
  const { code, operation, outcome, exitCode, fields } = error;
  const [message, hint] = [error.message, error.hint].map((text) => text && namingControls(text, controls));
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{message}</strong>
      </p>
      {fields.length > 1 && (
        <ul>
          {fields.map(({ path, message: what }) => (
            <li key={path}>
              <code>{path}</code> {what}
            </li>
          ))}
        </ul>
      )}
      {outcome === 'unknown' && <p>{say().mayHaveHappened}</p>}
      {outcome === 'applied' && <p>{say().wasDone}</p>}
      {hint !== undefined && <p>{hint}</p>}
      <p class="quiet">
        {code}
        {operation === undefined ? '' : ` · ${operation}`} · {say().exit({ code: exitCode })}
      </p>
    </div>
  );
}

/** What a run says besides its result. */
export function Notices({ notices }: { readonly notices: readonly string[] }) {
  return (
    <>
      {notices.map((notice) => (
        <p key={notice} class="notice">
          {notice}
        </p>
      ))}
    </>
  );
}
