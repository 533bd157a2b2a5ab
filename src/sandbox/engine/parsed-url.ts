/** Limits of the url cache, in entries and in characters per url: callers request the same few urls. */
const MOST_KNOWN = 1000;
const LONGEST_KNOWN = 200;

const known = new Map<string, ParsedUrl>();

/** The parts of a request's url. */
export interface ParsedUrl {
  readonly pathname: string;
  /** Scheme, host and port. */
  readonly origin: string;
}

/** A request's url, parsed once; undefined if it is invalid. */
export function parseUrl(url: string): ParsedUrl | undefined {
  const found = known.get(url);
  if (found !== undefined) return found;
  if (!URL.canParse(url)) return undefined;
  const { pathname, origin } = new URL(url);
  const parsed = { pathname, origin };
  if (url.length > LONGEST_KNOWN) return parsed;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(url, parsed);
  return parsed;
}
