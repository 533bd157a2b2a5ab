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
export function Command({ text }: { readonly text: string }) {
  const copied = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text).catch(() => {});
    copied.value = true;
  };
  return (
    <p class="command">
      <code>{text}</code>
      <button type="button" onClick={copy} onBlur={() => (copied.value = false)}>
        {copied.value ? 'Copied' : 'Copy command'}
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
export function Table({ table, caption, link, hidden = new Set(), children }: TableProps) {
  const columns = table.columns.map((column, index) => ({ ...column, index })).filter(({ path }) => !hidden.has(path));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard
    <section class="scrolls" tabIndex={0} aria-label={caption}>
      <table>
        <thead>
          <tr>
            {columns.map(({ path, header, kind, optional, meaning }) => (
              <th key={path} scope="col" class={classOf(kind, optional)} title={meaning}>
                {header}
              </th>
            ))}
            {children !== undefined && <th scope="col">Actions</th>}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={`${row.name} ${at}`}>
              {columns.map(({ path, kind, optional, index }, position) => {
                const cell = shortened(row.cells[index] ?? { text: '' });
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
      </table>
    </section>
  );
}

const classOf = (kind: string | undefined, optional: boolean) =>
  [kind === 'number' ? 'number' : '', optional ? 'optional' : ''].filter(Boolean).join(' ');

/** Half an id or a code is worse than a table that scrolls. */
const isProse = (path: string, kind: string | undefined, text: string) =>
  (kind === undefined || kind === 'text') && !/(?:^|[._])(?:ids?|codes?)$/.test(path) && text.length > 24;

interface TableProps {
  readonly table: TableData;
  readonly caption: string;
  readonly link?: ((name: string) => string) | undefined;
  readonly hidden?: ReadonlySet<string>;
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
