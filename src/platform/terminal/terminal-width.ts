import { isTerminalAt } from './is-terminal-at.ts';

/**
 * Columns of the terminal that stdout is connected to; undefined if it is not a terminal. Checks the file descriptor
 * first: touching `process.stdout` loads all of Node's streams, which takes as long as printing a help text.
 */
export const terminalWidth = (): number | undefined => (isTerminalAt(1) ? process.stdout.columns : undefined);
