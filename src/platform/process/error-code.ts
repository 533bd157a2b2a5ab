/** The code of an error, for example `ENOENT` or `not_found`; undefined if it has none, or is not an error. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
