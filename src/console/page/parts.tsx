import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Cell, ErrorData, FieldData, TableData } from '../wire.ts';
import { go } from './place.ts';

/** A link within the console. */
export function Link({ to, children, current, label }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={to} onClick={follow} aria-current={current ? 'page' : undefined} aria-label={label}>
      {children}
    </a>
  );
}

interface LinkProps {
  readonly to: string;
  readonly children: ComponentChildren;
  readonly current?: boolean;
  readonly label?: string;
}

/** A command, ready to copy. */
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
        {copied.value ? 'Copied' : `Copy ${label === 'command' ? label : `as ${label}`}`}
      </button>
    </p>
  );
}

/** An error as the command line words it. */
export function Failure({ error }: { readonly error: ErrorData }) {
  const { code, message, hint, operation, outcome, exitCode, fields } = error;
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
      {outcome === 'unknown' && <p>It may have happened.</p>}
      {outcome === 'applied' && <p>It was done.</p>}
      {hint !== undefined && <p>{hint}</p>}
      <p class="quiet">
        {code}
        {operation === undefined ? '' : ` · ${operation}`} · exit {exitCode}
      </p>
    </div>
  );
}

const clipped = 160;

/** A value of the service: text, whatever it contains. */
export function Value({ cell }: { readonly cell: Cell }) {
  const { text, tone } = cell;
  return <span class={tone ?? ''}>{text}</span>;
}

/** A long cell is cut in a table; its record shows it whole. */
const shortened = (cell: Cell): Cell =>
  cell.text.length > clipped ? { ...cell, text: `${cell.text.slice(0, clipped)}…` } : cell;

/** A table; `link` returns the address of a row's record. */
export function Table({ table, caption, link, sorted, children }: TableProps) {
  const { columns, total } = table;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard
    <section class="scrolls" tabIndex={0} aria-label={caption}>
      <table>
        <thead>
          <tr>
            {columns.map(({ path, header, kind, optional, meaning }) => (
              <th
                key={path}
                scope="col"
                class={classOf(kind, optional)}
                title={meaning}
                aria-sort={sorted && orderOf(path, sorted)}
              >
                {sorted?.values.includes(path) ? (
                  <button type="button" class="sort" onClick={() => sorted.sort(nextOrder(path, sorted))}>
                    {header} {signs[orderOf(path, sorted)]}
                  </button>
                ) : (
                  header
                )}
              </th>
            ))}
            {children !== undefined && <th scope="col">Actions</th>}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={`${row.name} ${at}`}>
              {columns.map(({ path, kind, optional }, position) => {
                const cell = shortened(row.cells[position] ?? { text: '' });
                const isName = position === 0 && link !== undefined && row.name !== '';
                return (
                  <td key={path} class={`${classOf(kind, optional)}${isProse(path, kind, cell.text) ? ' prose' : ''}`}>
                    {isName ? <Link to={link(row.name)}>{cell.text || row.name}</Link> : <Value cell={cell} />}
                  </td>
                );
              })}
              {children !== undefined && <td>{children(row.name)}</td>}
            </tr>
          ))}
        </tbody>
        {total !== undefined && (
          <tfoot>
            <tr>
              {columns.map(({ path, kind, optional }, position) => (
                <td key={path} class={classOf(kind, optional)}>
                  {total[position]?.text}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}

const classOf = (kind: string | undefined, optional: boolean) =>
  [kind === 'number' ? 'number' : '', optional ? 'optional' : ''].filter(Boolean).join(' ');

/** Half an id or a code is worse than a table that scrolls. */
const isProse = (path: string, kind: string | undefined, text: string) =>
  (kind === undefined || kind === 'text') && !/(?:^|[._])(?:ids?|codes?)$/.test(path) && text.length > 24;

/** The order of a list: a field's name, with a - before it for the largest first. */
export interface Sorted {
  readonly values: readonly string[];
  readonly current: string;
  readonly sort: (value: string) => void;
}

const signs = { ascending: '▲', descending: '▼', none: '↕' };

const orderOf = (path: string, { current }: Sorted) =>
  current === path ? 'ascending' : current === `-${path}` ? 'descending' : 'none';

/** A column that is sorted by already is turned round. */
const nextOrder = (path: string, { values, current }: Sorted) =>
  values.includes(`-${path}`) && current !== `-${path}` ? `-${path}` : path;

interface TableProps {
  readonly table: TableData;
  readonly caption: string;
  readonly link?: ((name: string) => string) | undefined;
  readonly sorted?: Sorted | undefined;
  readonly children?: ((name: string) => ComponentChildren) | undefined;
}

/** The fields of a record. */
export function Fields({ fields }: { readonly fields: readonly FieldData[] }) {
  return (
    <dl class="fields">
      {fields.map(({ name, cell, table }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {cell !== undefined && <Value cell={cell} />}
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
