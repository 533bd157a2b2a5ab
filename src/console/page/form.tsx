import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { labelOf, measured, readText, withValue } from './fields.ts';
import { Sentence } from './messages.tsx';
import { say } from './texts.ts';

type Draft = Readonly<Record<string, unknown>>;

interface FieldProps {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly value: unknown;
  readonly change: (value: unknown) => void;
}

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

const isMap = ({ type, properties }: JsonSchema) => type === 'object' && properties === undefined;

/** One scalar, or a list of them, as a control with its label. */
export function Control({ name, schema, required, value, change }: FieldProps) {
  const id = useId();
  const values = schema.type === 'boolean' ? ['true', 'false'] : (schema.enum ?? schema.items?.enum);
  const label = labelOf(name, schema);
  const about = schema.description?.toLowerCase() === label.toLowerCase() ? undefined : schema.description;
  const described = about === undefined ? undefined : `${id}-about`;
  // What is being typed stays when something else on the page changes.
  const typed = useSignal<string | undefined>(undefined);
  const changed = (text: string) => {
    typed.value = undefined;
    change(text === '' ? undefined : readText(schema, text));
  };
  return (
    <div class="control">
      <label for={id} title={about}>
        {measured(label, schema)}
        {required && <span class="quiet"> {say().required}</span>}
      </label>
      {values === undefined ? (
        <input
          id={id}
          value={typed.value ?? textOf(value)}
          autocomplete="off"
          inputMode={schema.type === 'integer' ? 'numeric' : undefined}
          aria-describedby={described}
          onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          onChange={({ currentTarget }) => changed(currentTarget.value)}
        />
      ) : (
        <select id={id} aria-describedby={described} onChange={({ currentTarget }) => changed(currentTarget.value)}>
          <option value="">{required ? say().choose : '—'}</option>
          {values
            .filter((each) => each !== '' && each !== 'unknown')
            .map((each) => (
              <option key={each} value={each} selected={textOf(value) === each}>
                {each === 'true' ? say().true : each === 'false' ? say().false : say().choice(each)}
              </option>
            ))}
        </select>
      )}
      {described !== undefined && (
        <p id={described} class="quiet">
          <Sentence text={about ?? ''} />
        </p>
      )}
    </div>
  );
}

/** A field that takes files: their bytes are sent, never their paths. */
export function Upload({ name, schema, send }: UploadProps) {
  const id = useId();
  return (
    <div class="control">
      <label for={id}>{labelOf(name, schema)}</label>
      <input
        id={id}
        type="file"
        multiple={schema.type === 'array'}
        aria-describedby={`${id}-about`}
        onChange={({ currentTarget }) => send([...(currentTarget.files ?? [])])}
      />
      <p id={`${id}-about`} class="quiet">
        {schema.description ?? schema.items?.description}
      </p>
    </div>
  );
}

interface UploadProps {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly send: (files: readonly File[]) => void;
}

/** A list of records, each with its own fields. */
function Several({ name, schema, value, change }: FieldProps) {
  const items = Array.isArray(value) ? value : [];
  const entry = schema.items ?? { type: 'object' };
  return (
    <fieldset>
      <legend>{labelOf(name, schema)}</legend>
      {items.map((item, at) => (
        <fieldset key={at}>
          <legend>
            {labelOf(name, schema)} {at + 1}
          </legend>
          <Inputs schema={entry} draft={item} change={(next) => change(items.with(at, next))} />
          <button type="button" onClick={() => change(items.length === 1 ? undefined : items.toSpliced(at, 1))}>
            {say().remove({ what: labelOf(name, schema), at: at + 1 })}
          </button>
        </fieldset>
      ))}
      <button type="button" onClick={() => change([...items, {}])}>
        {say().add({ what: labelOf(name, schema) })}
      </button>
    </fieldset>
  );
}

/** Names and values, one pair on a line. */
function Pairs({ name, schema, value, change }: FieldProps) {
  const id = useId();
  const given = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const read = (text: string) => {
    const pairs = text.split('\n').flatMap((line) => {
      const at = line.indexOf('=');
      return at > 0 ? [[line.slice(0, at).trim(), line.slice(at + 1)]] : [];
    });
    change(pairs.length === 0 ? undefined : Object.fromEntries(pairs));
  };
  return (
    <div class="control">
      <label for={id}>{say().pairs({ what: labelOf(name, schema) })}</label>
      <textarea id={id} rows={2} onChange={({ currentTarget }) => read(currentTarget.value)}>
        {given.map(([key, each]) => `${key}=${textOf(each)}`).join('\n')}
      </textarea>
      <p class="quiet">{schema.description}</p>
    </div>
  );
}

function Input(props: FieldProps) {
  const { name, schema, required, value, change } = props;
  if (schema.properties !== undefined) {
    const inner = typeof value === 'object' && value !== null ? { ...value } : {};
    const isEmpty = Object.keys(inner).length === 0;
    return (
      <details open={required || !isEmpty}>
        <summary>{labelOf(name, schema)}</summary>
        <fieldset>
          <legend>{schema.description ?? labelOf(name, schema)}</legend>
          <Inputs
            schema={schema}
            draft={inner}
            change={(next) => change(Object.keys(next).length === 0 ? undefined : next)}
          />
        </fieldset>
      </details>
    );
  }
  if (schema.type === 'array' && schema.items?.properties !== undefined) return <Several {...props} />;
  return isMap(schema) ? <Pairs {...props} /> : <Control {...props} />;
}

/** The fields of a record: those that are required first, the others folded away. */
export function Inputs({ schema, draft, change, fixed = [] }: InputsProps) {
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => !fixed.includes(name));
  const input = ([name, field]: (typeof fields)[number]) => (
    <Input
      key={name}
      name={name}
      schema={field}
      required={required.has(name)}
      value={draft[name]}
      change={(value) => change(withValue(draft, [name], value))}
    />
  );
  const needed = fields.filter(([name]) => required.has(name));
  const others = fields.filter(([name]) => !required.has(name));
  const areFew = others.length <= 6;
  return (
    <div class="inputs">
      {needed.map(input)}
      {areFew
        ? others.map(input)
        : others.length > 0 && (
            <details open={needed.length === 0}>
              <summary>{say().fieldsCounted({ count: others.length, isAll: needed.length === 0 })}</summary>
              <div class="inputs">{others.map(input)}</div>
            </details>
          )}
    </div>
  );
}

interface InputsProps {
  readonly schema: JsonSchema;
  readonly draft: Draft;
  readonly change: (draft: Draft) => void;
  readonly fixed?: readonly string[];
}
