import { Zip, ZipDeflate } from 'fflate';
import sax from 'sax';
import type { Cell, SheetSource } from '../formats/sheet.ts';
import { columnLetters } from '../formats/sheet.ts';
import { textOf } from '../formats/text-of.ts';
import { columnOf } from './cells.ts';
import { damaged, openParts, type Parts } from './package.ts';
import { tabNamed } from './read-xlsx.ts';
import { readQuotedStyle, readWorkbook, stylesPath } from './workbook.ts';
import { cellXml, wouldRun } from './write-xlsx.ts';

/** What is written into a line of a sheet. */
export interface NewCells {
  /** By the index of their column, from 0; a cell that stands there keeps its format. */
  readonly cells: ReadonlyMap<number, Cell>;
  /** Whether a cell where none stands is formatted like the one before it, as in a header. */
  readonly likeBefore: boolean;
}

/** What an edit needs to know besides the new cells. */
export interface Edit {
  readonly cells: (line: number) => NewCells | undefined;
  /** Whether a new cell is a text that a spreadsheet would run as a formula once somebody edits it. */
  readonly hasFormulas: boolean;
  /** The widths of new columns in characters, by their index from 0; those behind columns with a width of their own are given. */
  readonly widths: ReadonlyMap<number, number>;
}

/** A cell as it stands in the text of a sheet: its offsets, its column and its style. */
interface StandingCell {
  readonly start: number;
  readonly column: number;
  readonly style: string;
  end: number;
}

/** Replaces text by its offsets, in their order, while the text comes in pieces. */
class TextEditor {
  #text = '';
  #offset = 0;
  #done = '';

  add(text: string): void {
    this.#text += text;
  }

  slice(start: number, end: number): string {
    return this.#text.slice(start - this.#offset, end - this.#offset);
  }

  /** Lets the text before an offset go as it is. */
  keep(end: number): void {
    this.replace(end, end, '');
  }

  replace(start: number, end: number, text: string): void {
    this.#done += this.slice(this.#offset, start) + text;
    this.#text = this.#text.slice(end - this.#offset);
    this.#offset = end;
  }

  take(): string {
    const done = this.#done;
    this.#done = '';
    return done;
  }
}

const bare = (tag: string) => tag.slice(tag.indexOf(':') + 1);
const prefixOf = (tag: string) => tag.slice(0, tag.indexOf(':') + 1);

/** The text of a part as it is changed while it is parsed, piece by piece. */
abstract class PartEditor {
  protected readonly editor = new TextEditor();
  protected readonly parser = sax.parser(true, { position: true });

  constructor() {
    this.parser.onerror = (error) => {
      throw error;
    };
  }

  /** Where the tag that is parsed begins. */
  protected get start(): number {
    return this.parser.startTagPosition - 1;
  }

  write(text: string): string {
    this.editor.add(text);
    this.parser.write(text);
    return this.editor.take();
  }

  end(): string {
    this.parser.close();
    this.editor.keep(Number.POSITIVE_INFINITY);
    return this.editor.take();
  }
}

/** The text of a sheet's part with new cells; all the rest of it stays as it is written. */
class SheetEditor extends PartEditor {
  readonly #cells: (line: number) => NewCells | undefined;
  readonly #quoted: number | undefined;
  readonly #widths: ReadonlyMap<number, number>;
  /** The last column that has a width, counted from 1, and where the tag of all widths ends. */
  #lastWide = 0;
  #colsEnd: number | undefined;
  #line = 0;
  /** Where the row's own tag begins and ends. */
  #row = { start: 0, end: 0, name: 'row' };
  #standing: StandingCell[] = [];

  constructor({ cells, widths }: Edit, quoted: number | undefined) {
    super();
    this.#cells = cells;
    this.#quoted = quoted;
    this.#widths = widths;
    const { parser } = this;
    parser.onopentag = ({ name, attributes }) => this.#open(name, attributes as Readonly<Record<string, string>>);
    parser.onclosetag = (name) => {
      // One that has no content has no tag that ends it.
      if (bare(name) === 'cols' && this.start >= (this.#colsEnd ?? 0)) this.#widen(prefixOf(name), false);
      this.#close(bare(name));
    };
  }

  /** Gives the new columns behind those that have a width their own, before the tag that is parsed. */
  #widen(prefix: string, isAlone: boolean): void {
    const own = [...this.#widths].filter(([column]) => column >= this.#lastWide).sort(([one], [other]) => one - other);
    const cols = own.map(
      ([column, width]) => `<${prefix}col min="${column + 1}" max="${column + 1}" width="${width}" customWidth="1"/>`,
    );
    if (cols.length === 0) return;
    const text = cols.join('');
    this.editor.replace(this.start, this.start, isAlone ? `<${prefix}cols>${text}</${prefix}cols>` : text);
  }

  #open(name: string, { r = '', s = '', max = '' }: Readonly<Record<string, string>>): void {
    const tag = bare(name);
    if (tag === 'cols') this.#colsEnd = this.parser.position;
    if (tag === 'col') this.#lastWide = Math.max(this.#lastWide, Number(max) || Number.POSITIVE_INFINITY);
    if (tag === 'sheetData' && this.#colsEnd === undefined) this.#widen(prefixOf(name), true);
    if (tag === 'row') {
      this.#line = /^\d{1,9}$/.test(r) ? Number(r) : this.#line + 1;
      this.#row = { start: this.start, end: this.parser.position, name };
      this.#standing = [];
    }
    if (tag === 'c') {
      const column = columnOf(r) ?? (this.#standing.at(-1)?.column ?? -1) + 1;
      this.#standing.push({ start: this.start, end: this.parser.position, column, style: s });
    }
  }

  #close(tag: string): void {
    const { position } = this.parser;
    const cell = this.#standing.at(-1);
    if (tag === 'c' && cell !== undefined) cell.end = position;
    // Where the sheet ends is a hint for readers, which new columns would make wrong.
    if (tag === 'dimension') this.editor.replace(this.start, position, '');
    if (tag === 'row') this.#endRow();
    // What stands outside of a row goes as it is; a row is held until its end.
    if (tag === 'row' || tag === 'sheetData') this.editor.keep(position);
  }

  #endRow(): void {
    const added = this.#cells(this.#line);
    if (added === undefined || this.parser.position === this.#row.end) return;
    const { start, end, name } = this.#row;
    // So is the first and last column of a row.
    this.editor.replace(start, end, this.editor.slice(start, end).replace(/\sspans="[^"]*"/, ''));
    const prefix = prefixOf(name);
    for (const [column, cell] of [...added.cells].sort(([one], [other]) => one - other)) {
      const old = this.#standing.find((one) => one.column === column);
      const before = this.#standing.findLast((one) => one.column < column);
      const at = old?.start ?? this.#standing.find((one) => one.column > column)?.start ?? this.start;
      const kept = old?.style ?? (added.likeBefore ? before?.style : undefined) ?? '';
      const style = wouldRun(cell) && this.#quoted !== undefined ? String(this.#quoted) : kept;
      const xml = cellXml(cell, `${columnLetters(column)}${this.#line}`, style === '' ? '' : ` s="${style}"`);
      this.editor.replace(at, old?.end ?? at, xml.replaceAll(/<(\/?)(?=[a-z])/g, `<$1${prefix}`));
    }
  }
}

/** The text of the part with the styles, with one more: for texts that are not to be run as formulas. */
class StylesEditor extends PartEditor {
  constructor() {
    super();
    const { editor, parser } = this;
    parser.onopentag = ({ name }) => {
      if (bare(name) !== 'cellXfs') return;
      const [start, end] = [this.start, parser.position];
      editor.replace(start, end, editor.slice(start, end).replace(/\scount="[^"]*"/, ''));
    };
    parser.onclosetag = (name) => {
      if (bare(name) !== 'cellXfs') return;
      editor.replace(this.start, this.start, `<${name.replace('cellXfs', 'xf')} xfId="0" quotePrefix="1"/>`);
    };
  }
}

async function* edited(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  editor: PartEditor,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for await (const text of textOf({ name, bytes }).chunks) yield encoder.encode(editor.write(text));
  yield encoder.encode(editor.end());
}

/** The place of the style for texts that are not to be run, and whether the styles have to be edited for it. */
async function quotedStyle(name: string, parts: Parts, isNeeded: boolean) {
  if (!isNeeded || !parts.has(await stylesPath(name, parts))) return { quoted: undefined, isNew: false };
  const { count, quoted } = await readQuotedStyle(name, parts);
  if (quoted >= 0) return { quoted, isNew: false };
  return count === 0 ? { quoted: undefined, isNew: false } : { quoted: count, isNew: true };
}

/**
 * A workbook with new cells in one of its sheets, the first one or that of the name; every other part, and what else is
 * in the sheet, stays as it is: sheets, formats, dates, formulas, images. A text that a spreadsheet would run is marked as
 * text, for which the styles get one more. Throws a SheetError if it is not a workbook.
 */
export async function* editedXlsx(
  source: SheetSource,
  sheet: string | undefined,
  edit: Edit,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { name } = source;
  const parts = await openParts(source);
  const written: Uint8Array[] = [];
  const archive = new Zip((error, chunk) => {
    if (error !== null) throw error;
    written.push(chunk);
  });
  try {
    const { tabs } = await readWorkbook(name, parts);
    const tab = tabNamed(name, tabs, sheet);
    const { quoted, isNew } = await quotedStyle(name, parts, edit.hasFormulas);
    const styles = await stylesPath(name, parts);
    const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
    const editorOf = (path: string) => {
      if (isSame(path, tab.path)) return new SheetEditor(edit, quoted);
      return isNew && isSame(path, styles) ? new StylesEditor() : undefined;
    };
    for (const path of parts.paths) {
      // The time of a part is fixed, as in a workbook of ours.
      const part = new ZipDeflate(path);
      part.mtime = new Date(1980, 0, 2);
      archive.add(part);
      const editor = editorOf(path);
      const bytes = editor === undefined ? parts.read(path) : edited(name, parts.read(path), editor);
      for await (const piece of bytes) {
        part.push(piece);
        yield* written.splice(0);
      }
      part.push(new Uint8Array(), true);
    }
    archive.end();
    yield* written.splice(0);
  } catch (error) {
    source.signal?.throwIfAborted();
    throw damaged(name, error);
  }
}
