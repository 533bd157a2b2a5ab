import { groupIndex } from './cli/group-index.ts';
import { rootHelp } from './cli/root-help.ts';
import { loadProgram } from './platform/kept-code.ts';
import { version } from './version.ts';

/** What needs nothing of the program but its name: answered from this file alone, which is small and loads nothing. */
function answerAtOnce(argv: readonly string[]): string | undefined {
  const [word, ...others] = argv;
  if (others.length > 0) return undefined;
  if (word === '--version') return `${version}\n`;
  return word === undefined || word === '--help' || word === '-h' || word === 'help' ? rootHelp() : undefined;
}

/**
 * Writes a short text; false when the stream wants to be waited for, or its reader has gone. Importing node:fs as an ES
 * module would load streams and more of it.
 */
function written(text: string): boolean {
  try {
    return process.getBuiltinModule('node:fs').writeSync(1, text) === Buffer.byteLength(text);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPIPE';
  }
}

/** Switches with which nothing is sent. */
const withoutCall = ['--help', '-h', '--dry-run', '--curl', '--skeleton'];

/** What kind of run it is likely to be; runs of one kind execute much the same parts of the program. */
function kindOf(argv: readonly string[]): string {
  if (withoutCall.some((word) => argv.includes(word))) return 'no-call';
  return groupIndex.find(({ name }) => argv.includes(name))?.name ?? 'other';
}

/** Where Node 22.8 and later keeps what it compiled; undefined before that, and where it is switched off. */
function compileCache(): string | undefined {
  const nodeModule: object = process.getBuiltinModule('node:module');
  return (nodeModule as { getCompileCacheDir?: () => string | undefined }).getCompileCacheDir?.();
}

/** Runs the process's own command line; the rest of the program lies beside this file. */
export async function start(): Promise<void> {
  const argv = process.argv.slice(2);
  const text = answerAtOnce(argv);
  if (text !== undefined && written(text)) return;
  const { exports, keep } = loadProgram<typeof import('./process.ts')>(`${import.meta.dirname}/process.cjs`, {
    load: (name) => import(name),
    keepIn: compileCache(),
    kind: `${version}-${kindOf(argv)}`,
  });
  await exports.runProcess();
  if (process.exitCode === 0) keep();
}
