import { writeSync } from 'node:fs';
import { rootHelp } from './cli/root-help.ts';
import { version } from './version.ts';

/** What needs nothing of the program but its name: answered from this file alone, which is small and loads nothing. */
function answerAtOnce(argv: readonly string[]): string | undefined {
  const [word, ...others] = argv;
  if (others.length > 0) return undefined;
  if (word === '--version') return `${version}\n`;
  return word === undefined || word === '--help' || word === '-h' || word === 'help' ? rootHelp() : undefined;
}

/** Writes a short text; false when the stream wants to be waited for, or its reader has gone. */
function written(text: string): boolean {
  try {
    return writeSync(1, text) === Buffer.byteLength(text);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPIPE';
  }
}

/** Runs the process's own command line. */
export async function start(): Promise<void> {
  const text = answerAtOnce(process.argv.slice(2));
  if (text !== undefined && written(text)) return;
  const { runProcess } = await import('./process.ts');
  await runProcess();
}
