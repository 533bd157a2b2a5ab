import sax from 'sax';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { SheetError, type SheetSource } from '../formats/sheet.ts';
import { kindByBytes, kindByParts, type OtherKind, textOf } from '../formats/text-of.ts';
import { say } from '../texts.ts';

/** What a reader of XML does with it; tags come without their namespace's prefix. */
interface XmlHandler {
  open?(tag: string, attributes: Readonly<Record<string, string>>): void;
  /** A piece of the text in the innermost element; long texts come in several. */
  text?(text: string): void;
  close?(tag: string): void;
}

const bare = (tag: string) => tag.slice(tag.indexOf(':') + 1);

/**
 * Parses XML piece by piece, in time that grows with its length alone, and returns control after each piece. No document
 * type and no entities besides the predefined ones. Throws an Error for text that is not such XML.
 */
export async function* readXml(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
): AsyncGenerator<void, void, undefined> {
  const parser = sax.parser(true, { position: false });
  parser.onerror = (error) => {
    throw error;
  };
  parser.ondoctype = () => {
    throw new SyntaxError('there is a document type');
  };
  parser.onopentag = ({ name: tag, attributes }) => {
    handler.open?.(bare(tag), attributes as Readonly<Record<string, string>>);
  };
  parser.ontext = (text) => handler.text?.(text);
  parser.oncdata = (text) => handler.text?.(text);
  parser.onclosetag = (tag) => handler.close?.(bare(tag));
  let isEmpty = true;
  for await (const text of textOf({ name, bytes }).chunks) {
    isEmpty &&= text === '';
    parser.write(text);
    yield;
  }
  if (!isEmpty) parser.close();
}

/** `readXml` for a part that is read as a whole. */
export async function readWholeXml(name: string, bytes: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<void> {
  for await (const _ of readXml(name, bytes, handler));
}

const mebibyte = 1024 * 1024;
const mostBytes = 50 * mebibyte;
/** The most bytes that all parts of a workbook may unpack to: a workbook of 50 MiB stays below, a zip bomb does not. */
const mostUnpackedBytes = 512 * mebibyte;
/** More parts than any workbook has. */
const mostParts = 10_000;

/** The parts of a workbook: the files in its zip archive. */
export interface Parts {
  readonly paths: readonly string[];
  /** Whether there is a part of that name, whatever its case. */
  has(path: string): boolean;
  /**
   * The bytes of a part, unpacked as they are asked for; nothing if it is missing. Throws a SheetError for a damaged
   * one, and for one that is larger than it says.
   */
  read(path: string): AsyncGenerator<Uint8Array, void, undefined>;
}

const nameOf = (path: string) => path.replace(/^\//, '').toLowerCase();

async function wholeBytes({ name, bytes }: SheetSource): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > mostBytes) {
      throw new SheetError(say().workbook.tooLarge({ name }), { hint: say().workbook.tooLargeHint });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const compoundFile = [0xd0, 0xcf, 0x11, 0xe0];

/** The error for a file that is no workbook, or a damaged one; a SheetError stays what it is. */
export function damaged(name: string, cause: unknown): SheetError {
  if (cause instanceof SheetError) return cause;
  return new SheetError(say().workbook.damaged({ name }), { cause, hint: say().workbook.damagedHint });
}

const ZIP = [0x50, 0x4b];

/** Refuses a file that is known to be something else. Throws a SheetError. */
function refuseOther(name: string, other: OtherKind | undefined): void {
  if (other === undefined) return;
  throw new SheetError(say().file.noXlsx({ name, is: say().kind[other] }), { hint: say().kindHint[other] });
}

async function entriesOf(zip: ZipFile): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    if (entries.push(entry) > mostParts) throw new RangeError(`there are more than ${mostParts} parts`);
  }
  return entries;
}

/**
 * Opens a workbook's archive. Throws a SheetError for a file that is not one, is too large or would be when unpacked, or
 * has a password.
 */
export async function openParts(source: SheetSource): Promise<Parts> {
  const { name, signal } = source;
  const bytes = await wholeBytes(source);
  if (compoundFile.every((byte, index) => bytes[index] === byte)) {
    throw new SheetError(say().workbook.password({ name }), { hint: say().workbook.passwordHint });
  }
  if (!ZIP.every((byte, index) => bytes[index] === byte)) refuseOther(name, kindByBytes(bytes));
  try {
    const zip = await fromBufferPromise(bytes, { lazyEntries: true });
    const entries = await entriesOf(zip);
    requireRoom(name, entries);
    refuseOther(name, kindByParts(entries.map(({ fileName }) => fileName)));
    // Names of parts are equal whatever their case is (ECMA-376, part 2).
    const byName = new Map(entries.map((entry) => [nameOf(entry.fileName), entry]));
    return {
      paths: entries.map(({ fileName }) => fileName),
      has: (path) => byName.has(nameOf(path)),
      read: (path) => partOf(source, zip, byName.get(nameOf(path))),
    };
  } catch (error) {
    signal?.throwIfAborted();
    throw damaged(name, error);
  }
}

/** Sizes as the archive declares them; unpacking a part ends where it exceeds its own. */
function requireRoom(name: string, entries: readonly Entry[]): void {
  const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (unpacked <= mostUnpackedBytes) return;
  const message = say().workbook.unpacked({ name, size: Math.round(unpacked / mebibyte) });
  throw new SheetError(message, { hint: say().workbook.unpackedHint });
}

async function* partOf(
  { name, signal }: SheetSource,
  zip: ZipFile,
  entry: Entry | undefined,
): AsyncGenerator<Uint8Array, void> {
  if (entry === undefined) return;
  try {
    const stream: AsyncIterable<Uint8Array> = await zip.openReadStreamPromise(entry);
    for await (const bytes of stream) {
      if (signal?.aborted) break;
      yield bytes;
    }
  } catch (error) {
    throw damaged(name, error);
  }
  signal?.throwIfAborted();
}
