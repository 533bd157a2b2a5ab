import { groupIndex } from './cli/group-index.ts';
import { rootHelp } from './cli/root-help.ts';
import type { WrittenCommand } from './cli/written-commands.ts';
import { loadProgram } from './platform/kept-code.ts';
import { version } from './version.ts';

/** What needs nothing of the program but its name: answered from this file alone, which is small and loads nothing. */
function answerAtOnce(argv: readonly string[]): string | undefined {
  const [word, ...others] = argv;
  if (others.length > 0) return undefined;
  if (word === '--version' || word === '-v' || word === 'version') return `${version}\n`;
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

/** What the build has written down of a group of commands. */
function readGroup(name: string): readonly WrittenCommand[] {
  return JSON.parse(
    process.getBuiltinModule('node:fs').readFileSync(`${import.meta.dirname}/commands/${name}.json`, 'utf8'),
  );
}

/** Help and completion of a group, as the build has written them down; undefined where the program has to answer. */
async function writtenAnswer(argv: readonly string[]): Promise<string | undefined> {
  const fields = argv[0] === '__complete' && argv[1] === 'fields';
  if (!fields && !argv.includes('--help') && !argv.includes('-h')) return undefined;
  if (!groupIndex.some(({ name }) => argv.includes(name))) return undefined;
  const { writtenFields, writtenHelp } = await import('./cli/written-answer.ts');
  return fields ? writtenFields(argv, readGroup) : writtenHelp(argv, readGroup);
}

/** Switches with which nothing is sent. */
const withoutCall = ['--help', '-h', '--dry-run', '--curl', '--skeleton'];

/** What kind of run it is likely to be; runs of one kind execute much the same parts of the program. */
function kindOf(argv: readonly string[]): string {
  if (withoutCall.some((word) => argv.includes(word))) return 'no-call';
  return groupIndex.find(({ name }) => argv.includes(name))?.name ?? 'other';
}

/**
 * This user's own directory of caches, where compiled code may be kept: never one for everybody, such as that for temporary
 * files, and none that a relative path names, which anybody's working directory could hold. Before Node 22 kept code
 * gains nothing (docs/decisions/014).
 */
function cacheOfUser(): string | undefined {
  const { HOME, LOCALAPPDATA, NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME } = process.env;
  if (NODE_DISABLE_COMPILE_CACHE || Number.parseInt(process.versions.node, 10) < 22) return undefined;
  const place = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && `${HOME}/.cache`);
  return place && process.getBuiltinModule('node:path').isAbsolute(place) ? place : undefined;
}

/** Runs the process's own command line; the rest of the program lies beside this file. */
export async function start(): Promise<void> {
  let hasEnded = false;
  // What nothing will ever settle lets a process end in silence: that is no success.
  process.once('exit', (code) => {
    if (!hasEnded && code === 0) process.exitCode = 13;
  });
  await answer();
  hasEnded = true;
}

async function answer(): Promise<void> {
  const argv = process.argv.slice(2);
  const text = answerAtOnce(argv) ?? (await writtenAnswer(argv));
  if (text !== undefined && written(text)) return;
  const { exports, keep } = loadProgram<typeof import('./process.ts')>(`${import.meta.dirname}/process.cjs`, {
    load: (name) => import(name),
    cache: cacheOfUser(),
    kind: kindOf(argv),
  });
  await exports.runProcess();
  if (process.exitCode === 0) keep();
}
