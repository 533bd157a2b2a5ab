import { kindByBytes } from '../other-kinds.ts';
import { SheetError, type SheetSource } from './sheet.ts';

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
        const hint = 'save it as UTF-8; in Excel: "CSV UTF-8"';
        throw new SheetError(`${name} is neither UTF-8 nor UTF-16 text`, { hint, cause });
      }
    };
    for await (const chunk of bytes) {
      if (decoder === undefined) {
        start.push(chunk);
        const begun = joined(start);
        if (begun.length < 3) continue;
        const other = kindByBytes(begun);
        if (other !== undefined) throw new SheetError(`${name} ${other.is}, and no text`, { hint: other.hint });
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

/** Refuses the text of a record that is longer than any request. Throws a SheetError. */
export function requireShort(name: string, place: string, text: string): void {
  if (text.length <= MOST_IN_RECORD) return;
  throw new SheetError(`${name}, ${place}: a record has at most ${MOST_IN_RECORD} characters`);
}

/** The whole text of a file, for formats that cannot be read in chunks: at most 64 Mi characters. */
export async function wholeText(source: SheetSource): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const part of textOf(source).chunks) {
    length += part.length;
    if (length > MOST_CHARACTERS) {
      throw new SheetError(`${source.name} is too large for its format`, { hint: 'save it as csv or jsonl' });
    }
    parts.push(part);
  }
  return parts.join('');
}
