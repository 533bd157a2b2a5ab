import { fstatSync, writeFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { decodeUtf8, FileError, largestText } from '../files/files.ts';
import { isTerminalAt, terminalFacts } from './terminal-facts.ts';
import { say } from './texts.ts';

/**
 * An output for text. `write` resolves when the stream has accepted it; a reader that disconnects is not an error
 * (`closed` becomes true).
 */
export interface Sink {
  write(text: string): Promise<void>;
  readonly closed: boolean;
  readonly isTerminal: boolean;
  /** Width in columns; undefined without a terminal. */
  readonly columns: number | undefined;
}

/** An input of text. */
export interface Source {
  /** Reads to the end, as UTF-8. */
  readAll(): Promise<string>;
  /** The lines as they come, as UTF-8; absent where nothing is read by lines. Throws a FileError. */
  lines?(): AsyncIterable<string>;
  readonly isTerminal: boolean;
}

/** Thrown when text could not be written, except when its reader disconnected; `code` is the system's (`ENOSPC`, …). */
class OutputError extends Error {
  readonly kind = 'output';
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    const why = code === 'ENOSPC' || code === 'EDQUOT' ? say().file.noSpace : code;
    super(say().file.outputUnwritten({ why }), options);
    this.name = 'OutputError';
    this.code = code;
  }
}

/** The process's own streams. Each is opened on first use: opening stdin alone costs a hundredth of the start-up. */
export function systemStreams(): { stdin: Source; stdout: Sink; stderr: Sink } {
  return {
    stdin: source(() => process.stdin, isTerminalAt(0)),
    stdout: isRegularFile(1) ? fileSink(1) : sink(() => process.stdout, isTerminalAt(1)),
    stderr: unfailing(isRegularFile(2) ? fileSink(2) : sink(() => process.stderr, isTerminalAt(2))),
  };
}

/** A Sink that drops what cannot be written: a notice that is lost ends no batch, and nobody could be told of it. */
const unfailing = (out: Sink): Sink => ({
  write: (text) => out.write(text).catch(() => {}),
  get closed() {
    return out.closed;
  },
  isTerminal: out.isTerminal,
  get columns() {
    return out.columns;
  },
});

/**
 * A Sink over a stream, or over a function that opens it on the first write. It rejects when text was lost, unless the
 * reader disconnected.
 */
export function sink(stream: Writable | (() => Writable), isTerminal = !isOpener(stream) && hasTerminal(stream)): Sink {
  let closed = false;
  let failure: Error | undefined;
  const fail = (error: Error) => {
    if (readerWentAway.has(codeOf(error))) closed = true;
    else failure ??= new OutputError(codeOf(error), { cause: error });
  };
  // Without a listener a reader that disconnects would end the process with a stack trace.
  const open = once(stream, (opened) => opened.on('error', fail));
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        const settle = () => (failure && !closed ? reject(failure) : resolve());
        const opened = open();
        if (closed || failure || text === '') return settle();
        // The callback runs when the system has accepted the bytes, so a caller that awaits it never outruns a slow
        // reader.
        opened.write(text, (error) => {
          if (error) fail(error);
          settle();
        });
      }),
    get closed() {
      return closed;
    },
    isTerminal,
    get columns() {
      return isTerminal ? terminalFacts(open()).columns : undefined;
    },
  };
}

const readerWentAway = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/**
 * A Sink over a regular file's descriptor. Node's own stream takes a partial write on a full disk for a complete one;
 * this one continues until every byte is written or the system reports an error.
 */
export function fileSink(descriptor: number): Sink {
  return {
    async write(text) {
      try {
        writeFileSync(descriptor, bytesOf(text));
      } catch (error) {
        throw new OutputError(codeOf(error), { cause: error });
      }
    },
    closed: false,
    isTerminal: false,
    columns: undefined,
  };
}

/** Size of the reused buffer, in characters: most texts are gathered rows of at most that size. */
const MOST_CHARACTERS = 128 * 1024;
/** A UTF-16 code unit takes at most three bytes of UTF-8; a surrogate pair takes four. */
const BYTES_OF_CHARACTER = 3;

let encoder: InstanceType<typeof TextEncoder> | undefined;
let used: Uint8Array | undefined;

/** The text in UTF-8, valid until the next call; a long text gets its own buffer. */
function bytesOf(text: string): Uint8Array {
  if (text.length > MOST_CHARACTERS) return Buffer.from(text);
  encoder ??= new TextEncoder();
  used ??= new Uint8Array(MOST_CHARACTERS * BYTES_OF_CHARACTER);
  return used.subarray(0, encoder.encodeInto(text, used).written);
}

function isRegularFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

/**
 * A Source over a stream, or over a function that opens it on the first read; input that is too large or not UTF-8
 * throws a FileError.
 */
export function source(
  stream: Readable | (() => Readable),
  isTerminal = !isOpener(stream) && hasTerminal(stream),
  limit = largestText,
): Source {
  const open = once(stream);
  return {
    async readAll() {
      const chunks: Buffer[] = [];
      let length = 0;
      try {
        const arriving: AsyncIterable<Buffer | string> = open();
        for await (const chunk of arriving) {
          const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
          length += bytes.length;
          if (length > limit) break;
          chunks.push(bytes);
        }
      } catch (error) {
        const message = say().file.unread({ path: say().file.input, code: codeOf(error) });
        throw new FileError('-', codeOf(error), message, { cause: error });
      }
      if (length > limit) {
        const mebibytes = Math.floor(limit / 1024 / 1024);
        throw new FileError('-', 'EFBIG', say().file.tooLarge({ path: say().file.input, mebibytes }));
      }
      const decoded = decodeUtf8(Buffer.concat(chunks));
      if ('text' in decoded) return decoded.text;
      const message = say().file.notText({ path: say().file.input, byte: decoded.badByte + 1 });
      throw new FileError('-', 'EILSEQ', message);
    },
    lines: () => linesOf(open(), limit),
    isTerminal,
  };
}

/** Lines of a stream; throws a FileError for one that is too long, or no UTF-8. */
async function* linesOf(arriving: AsyncIterable<Buffer | string>, limit: number): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  let length = 0;
  const line = (end: Buffer) => {
    const decoded = decodeUtf8(Buffer.concat([...rest, end]));
    if (!('text' in decoded)) throw new FileError('-', 'EILSEQ', say().file.lineNotText);
    [rest, length] = [[], 0];
    return decoded.text;
  };
  for await (const chunk of arriving) {
    let bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE)) {
      yield line(bytes.subarray(0, at));
      bytes = bytes.subarray(at + 1);
    }
    length += bytes.length;
    if (length > limit) throw new FileError('-', 'EFBIG', say().file.lineTooLong);
    rest.push(bytes);
  }
  if (length > 0) yield line(Buffer.alloc(0));
}

const NEWLINE = 10;

function isOpener<Stream>(stream: Stream | (() => Stream)): stream is () => Stream {
  return typeof stream === 'function';
}

function hasTerminal(stream: object): boolean {
  return terminalFacts(stream).isTerminal;
}

/** A function that opens the stream at most once. */
function once<Stream>(stream: Stream | (() => Stream), prepare: (opened: Stream) => void = () => {}): () => Stream {
  let opened: Stream | undefined;
  return () => {
    if (opened === undefined) {
      opened = isOpener(stream) ? stream() : stream;
      prepare(opened);
    }
    return opened;
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
