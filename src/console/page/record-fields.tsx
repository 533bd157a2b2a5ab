import type { ComponentChildren } from 'preact';
import type { FieldData, LayoutData } from '../wire.ts';
import { Link } from './link.tsx';
import { addressOf } from './place.ts';
import { shownAs, Table } from './table.tsx';
import { say } from './texts.ts';

/** The fields of a record. */
export function Fields({ fields }: { readonly fields: readonly FieldData[] }) {
  return (
    <dl class="fields">
      {fields.map((field) => (
        <div key={field.name}>
          <dt>{field.name}</dt>
          <dd>
            {textOf(field)}
            {field.table !== undefined && <Table table={field.table} caption={field.name} />}
            {field.table?.of !== undefined && field.table.of > field.table.rows.length && (
              <p class="quiet">{say().firstOf({ shown: field.table.rows.length, of: field.table.of })}</p>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A value, which leads to the page of the record that it names. */
const textOf = ({ cell, link }: FieldData) => {
  if (cell === undefined || link === undefined) return cell !== undefined && shownAs(cell);
  return <Link to={addressOf(link.group, { record: link.record })}>{shownAs(cell)}</Link>;
};

interface LayoutProps {
  readonly layout: LayoutData;
  readonly rest: readonly FieldData[];
  /** What is said of the record besides its fields. */
  readonly children?: ComponentChildren;
}

/** A record as a page: its states, what is looked for first, what is said of it, then its parts, and the rest folded. */
export function Layout({ layout, rest, children }: LayoutProps) {
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
      {children}
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
          <summary>{say().otherFields({ count: rest.length })}</summary>
          <Fields fields={rest} />
        </details>
      )}
    </>
  );
}
