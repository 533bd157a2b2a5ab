import type { FieldData, LayoutData } from '../wire.ts';
import { shownAs, Table } from './table.tsx';

/** The fields of a record. */
export function Fields({ fields }: { readonly fields: readonly FieldData[] }) {
  return (
    <dl class="fields">
      {fields.map(({ name, cell, table }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {cell !== undefined && shownAs(cell)}
            {table !== undefined && <Table table={table} caption={name} />}
            {table?.of !== undefined && table.of > table.rows.length && (
              <p class="quiet">
                The first {table.rows.length} of {table.of}
              </p>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What stands for a state, a number or a name that is looked for first. */
const textOf = ({ cell }: FieldData) => cell !== undefined && shownAs(cell);

/** A record as a page: what it is called, its states, what is looked for first, then its parts, and the rest folded. */
export function Layout({ layout, rest }: { readonly layout: LayoutData; readonly rest: readonly FieldData[] }) {
  const { states, first, parts } = layout;
  return (
    <>
      {states.length > 0 && (
        <ul class="states">
          {states.map((field) => (
            <li key={field.name}>
              <span class="quiet">{field.name}</span> {textOf(field)}
            </li>
          ))}
        </ul>
      )}
      {first.length > 0 && (
        <dl class="facts">
          {first.map((field) => (
            <div key={field.name}>
              <dt>{field.name}</dt>
              <dd>{textOf(field)}</dd>
            </div>
          ))}
        </dl>
      )}
      <div class="parts">
        {parts.map(({ title, fields, isAddress }) => (
          <section key={title} class={fields.some(({ table }) => table !== undefined) ? 'wide' : ''} aria-label={title}>
            <h2>{title}</h2>
            {isAddress ? (
              <address>
                {fields.map((field) => (
                  <div key={field.name}>{textOf(field)}</div>
                ))}
              </address>
            ) : (
              <Fields fields={fields} />
            )}
          </section>
        ))}
      </div>
      {rest.length > 0 && (
        <details>
          <summary>Other fields ({rest.length})</summary>
          <Fields fields={rest} />
        </details>
      )}
    </>
  );
}
