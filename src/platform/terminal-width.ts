/**
 * How many columns the terminal has that stdout is; undefined where it is none. Looks at the file first: asking
 * `process.stdout` loads all of Node's streams, which takes as long as a help text does.
 */
export function terminalWidth(): number | undefined {
  try {
    if (!process.getBuiltinModule('node:fs').fstatSync(1).isCharacterDevice()) return undefined;
  } catch {
    return undefined;
  }
  return process.stdout.isTTY ? process.stdout.columns : undefined;
}
