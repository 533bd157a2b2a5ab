import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { ActionData, PictureData, Ran, RunRequest } from '../wire.ts';
import { askResult, saveFile } from './ask.ts';
import type { Controls } from './fields.ts';
import { Command, Failure, Notices } from './messages.tsx';
import { Fields, Layout } from './record-fields.tsx';
import { useRun } from './runs.ts';
import { type Sorted, Table } from './table.tsx';
import { say } from './texts.ts';

/** A drawing, in the colours of the theme; the table below it has its numbers. */
function Picture({ picture }: { readonly picture: PictureData }) {
  return (
    <picture>
      <source media="(max-width: 40rem)" srcset={`/api/file/${picture.narrow}`} />
      <img class="picture" src={`/api/file/${picture.wide}`} alt={picture.title} />
    </picture>
  );
}

/** How far work has come, and how many things are done in a second since the page looks at it. */
function Progress({ of, left }: { readonly of: number; readonly left: number }) {
  const now = Number(document.timeline.currentTime ?? 0);
  const first = useRef({ at: now, left });
  const seconds = (now - first.current.at) / 1000;
  const rate = seconds < 1 || left === 0 ? 0 : (first.current.left - left) / seconds;
  return (
    <p>
      <progress aria-label={say().progress} value={of - left} max={of} /> {say().done({ done: of - left, of, rate })}
    </p>
  );
}

/** A result, whatever its shape. */
export function Result({ ran, caption = say().result, link, sorted, children, controls, said }: ResultProps) {
  return (
    <>
      {ran.kind === 'error' && <Failure error={ran.error} controls={controls} />}
      {ran.kind === 'list' && ran.picture !== undefined && <Picture picture={ran.picture} />}
      {ran.kind === 'list' && (
        <Table table={ran.table} caption={caption} link={link} sorted={sorted}>
          {children}
        </Table>
      )}
      {ran.kind === 'list' && ran.isComing === true && (
        <p role="status" class="loading">
          {say().lookingForMore}
        </p>
      )}
      {ran.kind === 'record' && ran.progress !== undefined && <Progress {...ran.progress} />}
      {ran.kind === 'record' && ran.layout === undefined && <Fields fields={ran.fields} />}
      {ran.kind === 'record' && ran.layout !== undefined && (
        <Layout layout={ran.layout} rest={ran.fields}>
          {said}
        </Layout>
      )}
      {ran.kind === 'text' && <pre>{ran.text}</pre>}
      {ran.kind === 'file' && <p>{say().wasWritten({ file: ran.name })}</p>}
      <Notices notices={ran.notices} controls={controls} />
      {ran.kind === 'record' && ran.copies.map((copy) => <Command key={copy.label} {...copy} />)}
      {ran.command !== '' && <Command text={ran.command} />}
    </>
  );
}

interface ResultProps {
  readonly ran: Ran;
  readonly caption?: string;
  readonly link?: ((name: string) => string) | undefined;
  readonly sorted?: Sorted | undefined;
  readonly children?: ((name: string) => ComponentChildren) | undefined;
  /** The fields of the form that it comes from. */
  readonly controls?: Controls | undefined;
  /** What is said of a record besides its fields. */
  readonly said?: ComponentChildren;
}

/** One row of a list with everything that is known of it. */
export function Whole({ action, request }: { readonly action: ActionData; readonly request: RunRequest }) {
  const ran = useRun(action.id, request);
  return ran === undefined ? <p role="status">{say().loading}</p> : <Result ran={ran} />;
}

/** The result of an action as a file, in each of its formats. */
export function Downloads({ action, request }: { readonly action: ActionData; readonly request: RunRequest }) {
  const ran = useSignal<Ran | undefined>(undefined);
  const isBusy = useSignal(false);
  if (action.formats.length === 0) return null;
  const save = async (format: string) => {
    isBusy.value = true;
    const { from: _, ...whole } = request;
    const result = await askResult(action.id, { ...whole, format });
    isBusy.value = false;
    ran.value = result;
    if (result.kind === 'file') saveFile(result);
  };
  return (
    <>
      <p class="buttons">
        <span class="quiet">{action.isFile ? action.summary : say().download}:</span>
        {action.formats.map((format) => (
          <button key={format} type="button" disabled={isBusy.value} onClick={() => save(format)}>
            {format}
          </button>
        ))}
      </p>
      <div aria-live="polite">{ran.value !== undefined && <Result ran={ran.value} />}</div>
    </>
  );
}

/** What else can be asked about an input, unfolded on request: an explanation, a statement. */
export function Asides({ action, input }: { readonly action: ActionData; readonly input: RunRequest['input'] }) {
  return (
    <>
      {action.asides.map((name) => (
        <Unfolding key={name} label={say().choice(name)}>
          {() => <Whole action={action} request={{ input: { ...input, [name]: true } }} />}
        </Unfolding>
      ))}
    </>
  );
}

/** Something that is asked for once it is unfolded. */
export function Unfolding({ label, children }: UnfoldingProps) {
  const isOpen = useSignal(false);
  return (
    <details onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen.value && children()}
    </details>
  );
}

interface UnfoldingProps {
  readonly label: ComponentChildren;
  readonly children: () => ComponentChildren;
}
