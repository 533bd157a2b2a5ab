/**
 * Columns of the terminal that stdout is connected to; undefined if it is not a terminal. Checks the file descriptor
 * first: touching `process.stdout` loads all of Node's streams, which takes as long as printing a help text.
 */
export function terminalWidth(): number | undefined {
  try {
    if (!process.getBuiltinModule('node:fs').fstatSync(1).isCharacterDevice()) return undefined;
  } catch {
    return undefined;
  }
  return process.stdout.isTTY ? process.stdout.columns : undefined;
}
