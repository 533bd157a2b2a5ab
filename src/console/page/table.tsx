import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Cell, TableData } from '../wire.ts';
import { Link } from './link.tsx';
import { go } from './place.ts';
import { say } from './texts.ts';

const clipped = 160;

/** A value of the service: text, whatever it contains. Most are nothing else: a table has a thousand of them. */
export const shownAs = ({ text, tone }: Cell) => (tone === undefined ? text : <span class={tone}>{text}</span>);

/** A long cell is cut in a table; its record shows it whole. */
const shortened = (cell: Cell): Cell =>
  cell.text.length > clipped ? { ...cell, text: `${cell.text.slice(0, clipped)}…` } : cell;

/** Leaves out as many optional columns, the last first, as a table is wider than its place. What still scrolls is reached by keyboard. */
function useFitting() {
  const region = useRef<HTMLElement>(null);
  const fit = () => {
    const table = region.current?.querySelector('table');
    if (!region.current || !table) return;
    const hide = (position: number, hidden: boolean) => {
      for (const { cells } of table.rows) if (cells[position]) cells[position].hidden = hidden;
    };
    const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
    for (const position of heads.keys()) hide(position, false);
    const optional = heads.flatMap((head, position) =>
      head.classList.contains('optional') ? [{ position, width: head.offsetWidth }] : [],
    );
    let over = region.current.scrollWidth - region.current.clientWidth;
    let leftOut = 0;
    for (; over > 0 && optional.length > 0; leftOut += 1) {
      const { position, width } = optional.pop() ?? { position: 0, width: 0 };
      hide(position, true);
      over -= width;
    }
    region.current.dataset.leftOut = leftOut > 0 ? say().moreColumns({ count: leftOut }) : '';
    region.current.tabIndex = region.current.scrollWidth > region.current.clientWidth ? 0 : -1;
  };
  useLayoutEffect(fit);
  useEffect(() => {
    const seen = new ResizeObserver(fit);
    if (region.current !== null) seen.observe(region.current);
    return () => seen.disconnect();
  }, []);
  return region;
}

/** Opens a row's record by a click anywhere in it but on something of its own, unless text is selected. */
function opens(event: MouseEvent, to: string): void {
  const own = event.target instanceof Element && event.target.closest('a, button, input, label') !== null;
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  if (!own && isPlain && String(getSelection()) === '') go(to);
}

/** The rows of a table. While they are the same they are drawn once, whatever changes around them: most of a page are cells. */
function useRows({ columns, rows }: TableData, link: TableProps['link'], children: TableProps['children']) {
  return useMemo(
    () => (
      <tbody>
        {rows.map((row, at) => (
          <tr
            key={at}
            class={link !== undefined && row.name !== '' ? 'opens' : undefined}
            onClick={link !== undefined && row.name !== '' ? (event) => opens(event, link(row.name)) : undefined}
          >
            {columns.map(({ path, header, kind, optional }, position) => {
              const cell = shortened(row.cells[position] ?? { text: '' });
              const isName = position === 0 && link !== undefined && row.name !== '';
              return (
                <td
                  key={path}
                  data-label={header}
                  class={`${classOf(kind, optional)}${wrappedAs(path, kind, cell.text)}`}
                >
                  {isName ? <Link to={link(row.name)}>{cell.text || row.name}</Link> : shownAs(cell)}
                </td>
              );
            })}
            {children !== undefined && <td>{children(row.name)}</td>}
          </tr>
        ))}
      </tbody>
    ),
    [rows, link, children],
  );
}

/** A table; `link` returns the address of a row's record. */
export function Table({ table, caption, link, sorted, children }: TableProps) {
  const { columns, total } = table;
  return (
    <section ref={useFitting()} class="scrolls" aria-label={caption}>
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
            {children !== undefined && <th scope="col">{say().actions}</th>}
          </tr>
        </thead>
        {useRows(table, link, children)}
        {total !== undefined && (
          <tfoot>
            <tr>
              {columns.map(({ path, header, kind, optional }, position) => (
                <td key={path} data-label={header} class={classOf(kind, optional)}>
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

/** Half an id or a code is worse than a table that scrolls; names, places and states wrap between their words. */
function wrappedAs(path: string, kind: string | undefined, text: string): string {
  if (kind === 'number' || kind === 'time' || kind === 'moment' || /(?:^|[._])(?:ids?|codes?)$/.test(path)) return '';
  if (text.length > 24 && (kind === undefined || kind === 'text')) return ' prose';
  return text.includes(' ') ? ' words' : '';
}

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
