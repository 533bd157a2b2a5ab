/** What a database driver says about a failure: its code and message, and SQLite's own number; empty for others. */
export function driverFacts(error: unknown): {
  readonly code: string;
  readonly message: string;
  readonly errcode: unknown;
} {
  const { message, errcode }: { message?: unknown; errcode?: unknown } = Object(error);
  return { code: errorCode(error) ?? '', message: typeof message === 'string' ? message : '', errcode };
}

/** The code of an error, for example `ENOENT` or `not_found`; undefined if it has none, or is not an error. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
