import type { Parts } from './package.ts';
import { readWholeXml } from './package.ts';

/** A sheet of a workbook. */
export interface Tab {
  readonly name: string;
  /** Its part. */
  readonly path: string;
  /** Whether a spreadsheet does not show it, and if so, whether it does not even list it. */
  readonly hidden: 'hidden' | 'very hidden' | undefined;
}

/** What a workbook says about its sheets. */
export interface Workbook {
  /** In tab order. */
  readonly tabs: readonly Tab[];
  /** Whether days are counted from 1904, as on old Macs. */
  readonly from1904: boolean;
}

/** What the parts of a workbook are to others, as the ends of the types of their relationships. */
const [OFFICE_DOCUMENT, SHARED_STRINGS, STYLES] = ['officeDocument', 'sharedStrings', 'styles'] as const;
const WORKBOOK = 'xl/workbook.xml';

/** Whether an attribute is set. */
export const isTrue = (attribute: string | undefined) => attribute === '1' || attribute === 'true';

/** The attribute whose name has this ending, whatever its namespace's prefix. */
function prefixed(attributes: Readonly<Record<string, string>>, name: string): string {
  const found = Object.keys(attributes).find((key) => key.endsWith(`:${name}`));
  return found === undefined ? '' : (attributes[found] ?? '');
}

const hiddenAs = (state = '') =>
  /^veryhidden$/i.test(state) ? 'very hidden' : /^hidden$/i.test(state) ? 'hidden' : undefined;

/** What a part refers to: the paths of other parts by the ids and by the types of its relationships. */
interface Relationships {
  readonly byId: ReadonlyMap<string, string>;
  readonly byType: ReadonlyMap<string, string>;
}

/** The path of a part that another one names; `..` goes up. */
function resolved(from: string, target: string): string {
  const steps = target.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const step of target.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}

/** The relationships of a part; of the whole package for the empty path. */
async function relationshipsOf(name: string, parts: Parts, path: string): Promise<Relationships> {
  const folders = path.split('/');
  const file = folders.pop() ?? '';
  const byId = new Map<string, string>();
  const byType = new Map<string, string>();
  await readWholeXml(name, parts.read([...folders, '_rels', `${file}.rels`].join('/')), {
    open: (tag, { Id = '', Type = '', Target = '' }) => {
      if (tag !== 'Relationship') return;
      byId.set(Id, resolved(path, Target));
      byType.set(Type.slice(Type.lastIndexOf('/') + 1), resolved(path, Target));
    },
  });
  return { byId, byType };
}

/** The path of the part that is the workbook. */
const workbookPath = async (name: string, parts: Parts) =>
  (await relationshipsOf(name, parts, '')).byType.get(OFFICE_DOCUMENT) ?? WORKBOOK;

/** The path of a part of the workbook, by what it is to it. */
async function partOf(name: string, parts: Parts, type: string): Promise<string> {
  const workbook = await workbookPath(name, parts);
  return (await relationshipsOf(name, parts, workbook)).byType.get(type) ?? resolved(workbook, `${type}.xml`);
}

/** The path of the part with the formats of cells. */
export const stylesPath = (name: string, parts: Parts): Promise<string> => partOf(name, parts, STYLES);

/** The sheets of a workbook. */
export async function readWorkbook(name: string, parts: Parts): Promise<Workbook> {
  const workbook = await workbookPath(name, parts);
  const { byId: targets } = await relationshipsOf(name, parts, workbook);
  const tabs: Tab[] = [];
  let from1904 = false;
  await readWholeXml(name, parts.read(workbook), {
    open: (tag, attributes) => {
      if (tag === 'workbookPr') from1904 = isTrue(attributes.date1904);
      if (tag !== 'sheet') return;
      const path = targets.get(prefixed(attributes, 'id')) ?? '';
      tabs.push({ name: attributes.name ?? '', path, hidden: hiddenAs(attributes.state) });
    },
  });
  return { tabs, from1904 };
}

/** A character that XML cannot represent is written as `_x0007_` (ECMA-376, ST_Xstring). */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([\dA-F]{4})_/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Gathers the text of an element from its runs, without the pronunciation that East Asian sheets keep beside it. */
export class RunsOfText {
  #text = '';
  #inRun = false;
  #inPronunciation = false;
  /** Whether the run that is open is struck through, and whether one of them was. */
  #strikes = false;
  #isStruck = false;

  open(tag: string, val = '1'): void {
    if (tag === 'rPh') this.#inPronunciation = true;
    if (tag === 't') this.#inRun = true;
    if (tag === 'r') this.#strikes = false;
    if (tag === 'strike') this.#strikes = isTrue(val);
  }

  /** Whether a part of the text so far is struck through. */
  get isStruck(): boolean {
    return this.#isStruck;
  }

  /** How many characters there are so far. */
  get length(): number {
    return this.#text.length;
  }

  add(text: string): void {
    if (!this.#inRun || this.#inPronunciation) return;
    this.#text += text;
    this.#isStruck ||= this.#strikes && text.trim() !== '';
  }

  close(tag: string): void {
    if (tag === 'rPh') this.#inPronunciation = false;
    if (tag === 't') this.#inRun = false;
    if (tag === 'r') this.#strikes = false;
  }

  /** The text so far; the next one begins. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    this.#isStruck = false;
    return unescaped(text);
  }
}

/** The texts that cells refer to by number, and which of them are struck through, as a whole or in part. */
export interface SharedTexts {
  readonly texts: readonly string[];
  readonly struck: ReadonlySet<number>;
}

/** The texts that cells refer to by number. */
export async function readSharedStrings(name: string, parts: Parts): Promise<SharedTexts> {
  const texts: string[] = [];
  const struck = new Set<number>();
  const runs = new RunsOfText();
  await readWholeXml(name, parts.read(await partOf(name, parts, SHARED_STRINGS)), {
    open: (tag, { val }) => runs.open(tag, val),
    text: (text) => runs.add(text),
    close: (tag) => {
      runs.close(tag);
      if (tag !== 'si') return;
      if (runs.isStruck) struck.add(texts.length);
      texts.push(runs.take());
    },
  });
  return { texts, struck };
}

/** The comments of one part, by the name of their cell; those of a thread follow each other. */
async function commentsIn(name: string, parts: Parts, path: string | undefined): Promise<Map<string, string>> {
  const comments = new Map<string, string>();
  if (path === undefined) return comments;
  let [cell, text, depth] = ['', '', 0];
  await readWholeXml(name, parts.read(path), {
    open: (tag, { ref }) => {
      if (tag === 'comment' || tag === 'threadedComment') cell = ref ?? '';
      if (tag === 'text') depth += 1;
    },
    text: (piece) => {
      if (depth > 0) text += piece;
    },
    close: (tag) => {
      if (tag === 'text') depth -= 1;
      if (tag !== 'comment' && tag !== 'threadedComment') return;
      const before = comments.get(cell);
      comments.set(cell, before === undefined ? text.trim() : `${before}\n${text.trim()}`);
      text = '';
    },
  });
  return comments;
}

/** The comments on the cells of a sheet, by their names; a thread counts more than what old programs are shown of it. */
export async function readComments(name: string, parts: Parts, sheet: string): Promise<ReadonlyMap<string, string>> {
  const { byType } = await relationshipsOf(name, parts, sheet);
  const [notes, threads] = [byType.get('comments'), byType.get('threadedComment')];
  return new Map([...(await commentsIn(name, parts, notes)), ...(await commentsIn(name, parts, threads))]);
}

/** How a format shows a number; undefined for one that it shows by its digits alone. */
export type ShowNumber = (number: number) => string | undefined;

/** Beyond it a number has lost digits, and is shown as it is. */
const MOST_SHOWN = 1e15;

/** The parts of a format: texts, blanks as wide as a letter, what is in brackets, the exponent, and single signs. */
const TOKEN = /"([^"]*)"|\\(.)|[_*].|\[([^\]]*)\]|E[+-]|(.)/gsu;

/** A sign that stands for itself in a format, without quotes. */
const ITSELF = /^[-+()$:!^&'~{}<>= \p{L}]$/u;

interface Part {
  /** Whether it is a digit, and then `0` or `#`; else the text itself. */
  readonly isDigit: boolean;
  readonly text: string;
}

/** The parts of a format of digits and texts, such as `"SP"0000` and 0000-000-000; undefined for any other. */
function partsOf(section: string): readonly Part[] | undefined {
  const parts: Part[] = [];
  for (const [, quoted, escaped, inside, sign] of section.matchAll(TOKEN)) {
    const text =
      quoted ?? escaped ?? (inside?.startsWith('$') ? inside.slice(1).replace(/-[\dA-F]*$/i, '') : undefined);
    if (text !== undefined) parts.push({ isDigit: false, text });
    else if (inside !== undefined && /^[<>=]/.test(inside)) return undefined;
    else if (sign === '0' || sign === '#') parts.push({ isDigit: true, text: sign });
    else if (sign !== undefined && ITSELF.test(sign)) parts.push({ isDigit: false, text: sign });
    else if (sign !== undefined) return undefined;
  }
  const digits = parts.filter(({ isDigit }) => isDigit);
  const isPlain = parts.length === digits.length && digits.filter(({ text }) => text === '0').length < 2;
  return digits.length === 0 || isPlain ? undefined : parts;
}

/** Digits put into a format from its end; what it has no place for stands at its first one. */
function filled(parts: readonly Part[], number: number): string {
  const places = parts.flatMap(({ isDigit, text }) => (isDigit ? [text] : []));
  const fewest = places.length - (places.indexOf('0') < 0 ? places.length : places.indexOf('0'));
  const digits = String(number).padStart(fewest, '0').padStart(places.length, ' ');
  const surplus = digits.length - places.length;
  let at = 0;
  return parts
    .map(({ isDigit, text }) => {
      if (!isDigit) return text;
      const from = at === 0 ? 0 : at + surplus;
      at += 1;
      return digits.slice(from, at + surplus).trim();
    })
    .join('')
    .trim();
}

/** A text in a format that makes another number of the digits beside it: digits, and what an amount or a weight is counted in. */
const OTHER_NUMBER = /\d|(?<!\p{L})(?:k|tr|triệu|trieu|nghìn|nghin|ngàn|ngan|kg|g)(?!\p{L})/iu;
/** The signs of a number in a format: groups of thousands, decimals, and commas behind it that leave out thousands. */
const NUMERAL = /^([#0?,]*[#0?])(,*)(?:\.([#0?]+))?(,*)$/;

/** How a format shows numbers whose texts or commas make other numbers of them; undefined for any other format. */
function showOther(section: string): ShowNumber | undefined {
  const parts = [...section.matchAll(TOKEN)].map(([, quoted, escaped, , sign]) =>
    sign !== undefined && /[#0?.,]/.test(sign)
      ? { sign, text: '' }
      : { sign: '', text: quoted ?? escaped ?? sign ?? '' },
  );
  const [from, to] = [parts.findIndex(({ sign }) => sign !== ''), parts.findLastIndex(({ sign }) => sign !== '')];
  const textOf = (some: readonly { readonly text: string }[]) => some.map(({ text }) => text).join('');
  const [before, behind] = [textOf(parts.slice(0, Math.max(from, 0))), textOf(parts.slice(to + 1))];
  const found = NUMERAL.exec(
    parts
      .slice(from, to + 1)
      .map(({ sign }) => sign || '_')
      .join(''),
  );
  if (found === null) return undefined;
  const [, whole = '', thousands = '', decimals = '', more = ''] = found;
  const scale = 1_000 ** (thousands.length + more.length);
  if (scale === 1 && !OTHER_NUMBER.test(before + behind)) return undefined;
  return (number) => {
    if (number < 0 || number >= MOST_SHOWN) return undefined;
    const [digits = '', rest = ''] = (number / scale).toFixed(decimals.length).split('.');
    const grouped = whole.includes(',') ? digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ',') : digits;
    const kept = rest.slice(0, Math.max(decimals.lastIndexOf('0') + 1, rest.replace(/0+$/, '').length));
    return `${before}${grouped}${kept === '' ? '' : `.${kept}`}${behind}`.trim();
  };
}

/** How many digits a format shows behind the point. */
const decimalsIn = (section: string) => /\.([0#]+)/.exec(section)?.[1]?.length ?? 0;

/**
 * How a format (ECMA-376, 18.8.31) shows the numbers of cells, where that is another text than their digits: zeros before
 * them, texts beside and between them, percent, and an exponent.
 */
export function showNumber(code: string): ShowNumber {
  const [section = ''] = /^(?:"[^"]*"|\\.|[^;"])*/s.exec(code) ?? [];
  const bare = section.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/gs, '');
  if (/general/i.test(bare)) return () => undefined;
  const decimals = decimalsIn(bare);
  if (/E[+-]/i.test(bare)) return (number) => number.toExponential(decimals).toUpperCase();
  if (bare.includes('%')) return (number) => `${(number * 100).toFixed(decimals)}%`;
  const parts = partsOf(section);
  if (parts === undefined) return showOther(section) ?? (() => undefined);
  return (number) =>
    Number.isInteger(number) && number >= 0 && number < MOST_SHOWN ? filled(parts, number) : undefined;
}

/** The built-in formats of days and times (ECMA-376, 18.8.30). */
const isBuiltInDay = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** Whether a format of the sheet's own shows days or times, as its letters outside quotes and colours tell. */
function showsDay(code: string): boolean {
  const letters = code.replaceAll(/"[^"]*"|\[[^\]]*\]|\\.|_.|\*./g, '');
  return !/general/i.test(letters) && /[ymdhs]/i.test(letters);
}

/** What a style makes of the cells that have it. */
export interface CellStyle {
  /** Whether it shows days or times. */
  readonly isDay: boolean;
  readonly isStruck: boolean;
  /** The colours behind the cell and of its text, as the file writes them, and lines across it; undefined for white, and for black text. */
  readonly fill: string | undefined;
  /** How it shows numbers. */
  readonly show: ShowNumber;
}

/** The built-in formats that show a number otherwise than by its digits (ECMA-376, 18.8.30). */
const builtIn: Readonly<Record<number, string>> = { 9: '0%', 10: '0.00%', 11: '0.00E+00', 48: '##0.0E+0' };

/** The colours of texts that say nothing: black, of the theme, of the old palette and of the window; and those of links. */
const PLAIN_TEXT = /^(?:000000|0563C1|theme (?:1|10)|indexed (?:0|8|64|undefined))$/;
/** White: as such, of the theme, of the old palette, and as whatever the window has behind a cell. */
const WHITE = /^(?:FFFFFF|theme 0|indexed (?:1|9|64|65))$/;

/** A colour as the file writes it, behind what it is of; undefined for one that says nothing. */
function colourOf(
  of: 'fill' | 'text',
  { rgb, theme, indexed, tint }: Readonly<Record<string, string>>,
): string | undefined {
  const percent = Math.round(Number(tint ?? 0) * 100);
  const shade = percent === 0 ? '' : ` ${percent > 0 ? 'lighter' : 'darker'} ${Math.abs(percent)}%`;
  const named = theme === undefined ? `indexed ${indexed}` : `theme ${theme}${shade}`;
  const colour = rgb === undefined ? named : rgb.slice(-6).toUpperCase();
  return (of === 'fill' ? WHITE : PLAIN_TEXT).test(colour) ? undefined : `${of} ${colour}`;
}

/** Gathers the colours of fills or of texts, by their number. */
class Colours {
  readonly all: (string | undefined)[] = [];
  readonly #of: 'fill' | 'text';
  #isNone = false;

  constructor(of: 'fill' | 'text') {
    this.#of = of;
  }

  open(tag: string, attributes: Readonly<Record<string, string>>): void {
    const at = this.all.length - 1;
    const { patternType = 'none' } = attributes;
    if (tag === 'fill' || tag === 'font') this.all.push(undefined);
    // A hatching needs no colour to be seen, and one of a gradient says nothing of the other.
    if (tag === 'patternFill') {
      this.#isNone = patternType === 'none';
      if (!this.#isNone && patternType !== 'solid') this.all[at] = `fill ${patternType}`;
    }
    if (tag === 'gradientFill') {
      this.#isNone = true;
      this.all[at] = 'fill gradient';
    }
    if ((tag === 'fgColor' || tag === 'color') && !this.#isNone)
      this.all[at] = colourOf(this.#of, attributes) ?? this.all[at];
  }
}

/** Gathers which borders go across their cells, by their number. */
class Crosses {
  readonly all: (string | undefined)[] = [];

  open(tag: string, attributes: Readonly<Record<string, string>>): void {
    const { diagonalUp = '', diagonalDown = '', style = 'none' } = attributes;
    if (tag === 'border') this.all.push(isTrue(diagonalUp) || isTrue(diagonalDown) ? 'crossed out' : undefined);
    if (tag === 'diagonal' && style === 'none') this.all[this.all.length - 1] = undefined;
  }
}

/** The styles of cells, by number. */
export async function readStyles(name: string, parts: Parts): Promise<readonly CellStyle[]> {
  const own = new Map<number, { readonly isDay: boolean; readonly show: ShowNumber }>();
  const struck: boolean[] = [];
  const [fills, texts] = [new Colours('fill'), new Colours('text')];
  const crosses = new Crosses();
  const colours: Readonly<Record<string, Colours | Crosses>> = { fills, fonts: texts, borders: crosses };
  const styles: CellStyle[] = [];
  let inside = '';
  await readWholeXml(name, parts.read(await stylesPath(name, parts)), {
    open: (tag, attributes) => {
      const { numFmtId = '0', fontId = '0', fillId = '0', borderId = '0', formatCode = '', val = '1' } = attributes;
      const id = Number(numFmtId);
      if (tag === 'numFmt') own.set(id, { isDay: showsDay(formatCode), show: showNumber(formatCode) });
      if (tag === 'fonts' || tag === 'fills' || tag === 'borders' || tag === 'cellXfs') inside = tag;
      if (tag === 'font' && inside === 'fonts') struck.push(false);
      if (tag === 'strike' && inside === 'fonts') struck[struck.length - 1] = isTrue(val);
      colours[inside]?.open(tag, attributes);
      if (tag !== 'xf' || inside !== 'cellXfs') return;
      const { isDay, show } = own.get(id) ?? { isDay: isBuiltInDay(id), show: showNumber(builtIn[id] ?? 'General') };
      const seen = [fills.all[Number(fillId)], texts.all[Number(fontId)], crosses.all[Number(borderId)]];
      const fill = seen.filter(Boolean).join(', ') || undefined;
      styles.push({ isDay, show, isStruck: struck[Number(fontId)] === true, fill });
    },
    close: (tag) => {
      if (tag === inside) inside = '';
    },
  });
  return styles;
}

/** How many styles there are for cells, and the place of one for texts that are not to be run as formulas. */
export async function readQuotedStyle(name: string, parts: Parts): Promise<{ count: number; quoted: number }> {
  let count = 0;
  let quoted = -1;
  let inCells = false;
  await readWholeXml(name, parts.read(await stylesPath(name, parts)), {
    open: (tag, { quotePrefix = '', numFmtId = '0' }) => {
      if (tag === 'cellXfs') inCells = true;
      if (tag !== 'xf' || !inCells) return;
      if (isTrue(quotePrefix) && numFmtId === '0') quoted = count;
      count += 1;
    },
    close: (tag) => {
      if (tag === 'cellXfs') inCells = false;
    },
  });
  return { count, quoted };
}
