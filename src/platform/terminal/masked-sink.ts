import type { Sink } from './streams.ts';

/** What looks like a key of the service, or a request token: an owner's id, a colon and a secret (decisions, section 3). */
const KEY = /(?<![\d.:/-])(?:(?:shop)?\d{5,}|request):[^\s"'`\\<>,;()]{8,}/g;

/** A known key that is shorter than this is no key. */
const SHORTEST_KEY = 8;

/** Shows `***` in place of whatever looks like a key, and of these keys. */
export function maskedText(text: string, keys: readonly string[] = []): string {
  const known = keys.filter((key) => key.length >= SHORTEST_KEY);
  return known.reduce((masked, key) => masked.replaceAll(key, '***'), text.replace(KEY, '***'));
}

/** The same stream, to which no key is written: a key in the place of a name is repeated by many a message. */
export function maskedSink(sink: Sink, keys: readonly string[]): Sink {
  return {
    write: (text) => sink.write(maskedText(text, keys)),
    get closed() {
      return sink.closed;
    },
    get isTerminal() {
      return sink.isTerminal;
    },
    get columns() {
      return sink.columns;
    },
  };
}
