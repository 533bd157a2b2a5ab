import { say, type sheetsTexts } from '../texts.ts';
import { placeText, SheetError, type SheetSource } from './sheet.ts';

/** What a file is that cannot be read: the catalogue says it, and how its rows can be. */
export type OtherKind = keyof typeof sheetsTexts.kind;

/** By the endings of names. */
const byEnding: Readonly<Record<string, OtherKind>> = {
  xls: 'oldWorkbook',
  xlsm: 'macroWorkbook',
  xlsb: 'binaryWorkbook',
  ods: 'openDocument',
  numbers: 'appleNumbers',
  html: 'webPage',
  htm: 'webPage',
  mht: 'webPage',
  doc: 'document',
  docx: 'document',
  odt: 'document',
  pdf: 'pdf',
  jpg: 'picture',
  jpeg: 'picture',
  png: 'picture',
  heic: 'picture',
  webp: 'picture',
  zip: 'archive',
  rar: 'archive',
  '7z': 'archive',
  gz: 'archive',
  gsheet: 'shortcut',
  url: 'shortcut',
};

/** By the parts that only such a file has. */
const byPart: readonly (readonly [RegExp, OtherKind])[] = [
  [/^xl\/workbook\.bin$/i, 'binaryWorkbook'],
  [/^content\.xml$/, 'openDocument'],
  [/^Index(?:\.zip$|\/Document\.iwa$)/, 'appleNumbers'],
  [/^word\//, 'document'],
];

/** By their first bytes, as Latin letters. */
const byBytes: readonly (readonly [RegExp, OtherKind])[] = [
  [/^%PDF-/, 'pdf'],
  [/^(?:\xff\xd8\xff|\x89PNG|GIF8|RIFF....WEBP|....ftyphei)/s, 'picture'],
  [/^PK\x03\x04/, 'zip'],
  [/^(?:Rar!|7z\xbc\xaf|\x1f\x8b)/, 'archive'],
  [/^(?:\xd0\xcf\x11\xe0|\x09\x08)/, 'oldWorkbook'],
  [/^(?:\xef\xbb\xbf)?\s*<\?xml[\s\S]*?urn:schemas-microsoft-com:office:spreadsheet/, 'workbookXml'],
  [/^(?:\xef\xbb\xbf)?\s*(?:<!--[\s\S]*?-->\s*)?<(?:!doctype html|html|head|meta|body|table|style)\b/i, 'webPage'],
  [/^(?:[^\0]\0){2}|^(?:\0[^\0]){2}/, 'utf16'],
];

/** So many bytes say what a file is. */
const TELLING = 2_048;

/** What a file is that the ending of its name tells; undefined for one that may be read, or is not known. */
export const kindByEnding = (ending: string): OtherKind | undefined =>
  Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined;

/** What an archive is whose parts have these paths; undefined if they do not tell. */
export const kindByParts = (paths: readonly string[]): OtherKind | undefined =>
  byPart.find(([part]) => paths.some((path) => part.test(path)))?.[1];

/** What a file is that begins like this; undefined for one that may be text. */
export function kindByBytes(start: Uint8Array): OtherKind | undefined {
  const text = Buffer.from(start.subarray(0, TELLING)).toString('latin1');
  return byBytes.find(([bytes]) => bytes.test(text))?.[1];
}

/** The texts of a file, and whether it began with a byte-order mark, which is known after the first text. */
export interface SheetText {
  readonly chunks: AsyncIterable<string>;
  readonly byteOrderMark: () => boolean;
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

function encodingOf(start: Uint8Array): { encoding: Encoding; marked: boolean } {
  const [first, second, third] = start;
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', marked: true };
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', marked: true };
  const marked = first === 0xef && second === 0xbb && third === 0xbf;
  return { encoding: 'utf-8', marked };
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  return chunks.length === 1 ? (chunks[0] ?? new Uint8Array()) : Buffer.concat(chunks);
}

/**
 * Decodes a file chunk by chunk: UTF-8, with or without a byte-order mark, or UTF-16 with one, as Excel saves it
 * ("Unicode text"). Other bytes are refused: a guess would send a garbled name. Throws a SheetError.
 */
export function textOf({ name, bytes }: SheetSource): SheetText {
  let marked = false;
  async function* chunks(): AsyncGenerator<string, void, undefined> {
    const start: Uint8Array[] = [];
    let decoder: InstanceType<typeof TextDecoder> | undefined;
    const decode = (chunk: Uint8Array, stream: boolean): string => {
      try {
        return decoder?.decode(chunk, { stream }) ?? '';
      } catch (cause) {
        throw new SheetError(say().file.noUnicode({ name }), { hint: say().file.saveAsUtf8, cause });
      }
    };
    for await (const chunk of bytes) {
      if (decoder === undefined) {
        start.push(chunk);
        const begun = joined(start);
        if (begun.length < 3) continue;
        const other = kindByBytes(begun);
        if (other !== undefined)
          throw new SheetError(say().file.noText({ name, is: say().kind[other] }), { hint: say().kindHint[other] });
        const found = encodingOf(begun);
        marked = found.marked;
        decoder = new TextDecoder(found.encoding, { fatal: true });
        yield decode(begun, true);
      } else yield decode(chunk, true);
    }
    if (decoder === undefined) {
      decoder = new TextDecoder(encodingOf(joined(start)).encoding, { fatal: true });
      yield decode(joined(start), false);
    } else yield decode(new Uint8Array(), false);
  }
  return { chunks: chunks(), byteOrderMark: () => marked };
}

const MOST_CHARACTERS = 64 * 1024 * 1024;

/** No request is as long as that; to parse a longer one takes too long for a command that is to end on Ctrl-C. */
const MOST_IN_RECORD = 4 * 1024 * 1024;

/** The error for a place of a file that cannot be read. */
export const broken = (name: string, place: string, message: string, cause?: unknown): SheetError =>
  new SheetError(say().file.at({ name, place, message }), { cause });

/** Refuses the text of a record that is longer than any request. Throws a SheetError. */
export function requireShort(name: string, place: string, text: string): void {
  if (text.length <= MOST_IN_RECORD) return;
  throw broken(name, placeText(place), say().file.longRecord({ most: MOST_IN_RECORD }));
}

/** The whole text of a file, for formats that cannot be read in chunks: at most 64 Mi characters. */
export async function wholeText(source: SheetSource): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const part of textOf(source).chunks) {
    length += part.length;
    if (length > MOST_CHARACTERS) {
      throw new SheetError(say().file.tooLarge({ name: source.name }), { hint: say().file.tooLargeHint });
    }
    parts.push(part);
  }
  return parts.join('');
}
