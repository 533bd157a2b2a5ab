import { hasUnseen } from '../../domain/damaged-text.ts';
import { JsonSyntaxError } from '../../domain/json/json.ts';
import { parseUnrepeated } from '../../domain/json/repeated-key.ts';
import { isTooDeep } from '../../domain/json/values.ts';
import { writtenInJson } from '../../domain/json/written-numbers.ts';
import { say } from '../texts.ts';
import { placeText, type RecordSheet, SheetError, type SheetSource } from './sheet.ts';
import { broken, requireShort, textOf, wholeText } from './text-of.ts';

/** Finds the end of each entry of a JSON list, chunk by chunk, without parsing the entries. */
class ListSplitter {
  #depth = 0;
  #inText = false;
  #escaped = false;
  #begun = false;
  #entry = '';

  /** The entries completed by this text. */
  *take(text: string): Generator<string, void, undefined> {
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const mark = text.charAt(at);
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false;
        else if (mark === '\\') this.#escaped = true;
        else if (mark === '"') this.#inText = false;
        continue;
      }
      if (mark === '"') this.#inText = true;
      else if (mark === '[' || mark === '{') {
        this.#depth += 1;
        if (!this.#begun) {
          this.#begun = true;
          from = at + 1;
        }
      } else if (mark === ']' || mark === '}') {
        this.#depth -= 1;
        // A list that ends with } is broken, and is refused as one that is not closed.
        if (this.#depth === 0 && mark === '}') this.#depth = Number.NaN;
        if (this.#depth === 0) {
          yield this.#entry + text.slice(from, at);
          this.#entry = '';
          from = at + 1;
        }
      } else if (mark === ',' && this.#depth === 1) {
        yield this.#entry + text.slice(from, at);
        this.#entry = '';
        from = at + 1;
      }
    }
    this.#entry += text.slice(from);
  }

  /** What follows the list, or the beginning of an unfinished entry. */
  get rest(): string {
    return this.#entry;
  }

  get isClosed(): boolean {
    return this.#begun && this.#depth === 0;
  }
}

/** Reads JSON: a list of records, chunk by chunk, or a single record. */
export async function readJsonList(source: SheetSource): Promise<RecordSheet> {
  const chunks = textOf(source).chunks[Symbol.asyncIterator]();
  let start = '';
  while (start.trim() === '') {
    const { value, done } = await chunks.next();
    if (done) break;
    start += value;
  }
  async function* texts(): AsyncGenerator<string, void, undefined> {
    yield start;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  }
  const parsed = (text: string, place: string) => {
    requireShort(source.name, place, text);
    if (isTooDeep(text)) throw broken(source.name, placeText(place), say().file.tooDeep);
    try {
      return { place, value: parseUnrepeated(text), written: writtenInJson(text), hasUnseen: hasUnseen(text) };
    } catch (error) {
      if (error instanceof JsonSyntaxError) throw broken(source.name, placeText(place), error.message);
      throw error;
    }
  };
  async function* list() {
    const splitter = new ListSplitter();
    let entry = 0;
    for await (const text of texts()) {
      for (const part of splitter.take(text)) {
        entry += 1;
        if (part.trim() === '' && entry === 1) continue;
        yield parsed(part, `entry ${entry}`);
      }
      requireShort(source.name, `entry ${entry + 1}`, splitter.rest);
    }
    if (!splitter.isClosed) throw broken(source.name, placeText(`entry ${entry + 1}`), say().file.listOpen);
    if (splitter.rest.trim() !== '')
      throw new SheetError(say().file.whole({ name: source.name, message: say().file.behindList }));
  }
  async function* one() {
    const encoder = new TextEncoder();
    async function* bytes() {
      for await (const text of texts()) yield encoder.encode(text);
    }
    const text = await wholeText({ name: source.name, bytes: bytes() });
    if (text.trim() !== '') yield parsed(text, 'entry 1');
  }
  return { kind: 'records', records: start.trimStart().startsWith('[') ? list() : one() };
}

async function* linesOf({ name }: SheetSource, chunks: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let rest = '';
  let line = 1;
  for await (const chunk of chunks) {
    const [first = '', ...others] = chunk.split('\n');
    rest += first;
    // Before it is whole: a line without an end would fill the memory.
    requireShort(name, `line ${line}`, rest);
    if (others.length === 0) continue;
    yield rest;
    rest = others.pop() ?? '';
    yield* others;
    line += others.length + 1;
  }
  yield rest;
}

/** Reads JSON lines: one record per line, blank lines skipped. */
export async function readJsonLines(source: SheetSource): Promise<RecordSheet> {
  async function* records() {
    let line = 0;
    for await (const text of linesOf(source, textOf(source).chunks)) {
      line += 1;
      if (text.trim() === '') continue;
      if (isTooDeep(text)) throw broken(source.name, placeText(`line ${line}`), say().file.tooDeep);
      try {
        yield {
          place: `line ${line}`,
          value: parseUnrepeated(text),
          written: writtenInJson(text),
          hasUnseen: hasUnseen(text),
        };
      } catch (error) {
        if (!(error instanceof JsonSyntaxError)) throw error;
        throw broken(source.name, placeText(`line ${line}`), error.message, error);
      }
    }
  }
  return { kind: 'records', records: records() };
}
