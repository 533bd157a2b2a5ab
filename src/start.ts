import { groupIndex } from './cli/help/group-index.ts';
import { rootHelp } from './cli/help/root-help.ts';
import type { WrittenCommand } from './cli/tree/written-commands.ts';
import { cacheOfUser, loadProgram } from './platform/process/code-cache.ts';
import { takeWarnings } from './platform/process/node-warnings.ts';
import { version } from './version.ts';

/**
 * Version and top-level help, which need nothing of the program: printed from this file alone, which is small and loads
 * nothing.
 */
function answerAtOnce(argv: readonly string[]): string | undefined {
  const [word, ...others] = argv;
  if (others.length > 0) return undefined;
  // In a format for programs it is the program's to answer.
  if (word === '--version' || word === '-v' || word === 'version')
    return process.env.SHOPCTL_OUTPUT ? undefined : `${version}\n`;
  return word === undefined || word === '--help' || word === '-h' || word === 'help' ? rootHelp() : undefined;
}

/**
 * Writes a text at once; false if that failed and the program has to report it. A reader that has gone counts as written.
 * Importing node:fs as an ES module would load streams and more.
 */
function written(text: string): boolean {
  const { writeSync } = process.getBuiltinModule('node:fs');
  let rest: Uint8Array = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EPIPE') return true;
    // A pipe that whoever opened it set to non-blocking is full: the stream waits until its reader has made room.
    if (code !== 'EAGAIN') return false;
    process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'EPIPE') process.exitCode = 1;
    });
    process.stdout.write(rest);
  }
  return true;
}

/** A command group as prepared by the build. */
function readGroup(name: string): readonly WrittenCommand[] {
  return JSON.parse(
    process.getBuiltinModule('node:fs').readFileSync(`${import.meta.dirname}/commands/${name}.json`, 'utf8'),
  );
}

/** A sandbox runs for hours, in which V8 drops code that only its start used: by this time the start is over. */
const STARTED_AFTER_MS = 5000;

/** What loads the programs beside this file, each once, and stores what V8 compiled of them. */
function loaderOf(kind: string, cache?: string) {
  const toKeep: (() => void)[] = [];
  const storeAll = () => {
    for (const keep of toKeep.splice(0)) keep();
  };
  const opened = new Map<string, object>();
  const open = <Exports extends object>(file: string): Exports => {
    const options = { load, open: openOnce, cache, kind };
    const { exports, keep } = loadProgram<Exports>(`${import.meta.dirname}/${file}`, options);
    opened.set(file, exports);
    toKeep.push(keep);
    return exports;
  };
  const openOnce = (name: string): object => opened.get(name) ?? open(name);
  const load = async (name: string): Promise<unknown> => {
    // Loaders of ES modules take long to set up; they only say what is wrong with a module that this Node lacks.
    if (name.startsWith('node:')) return process.getBuiltinModule(name) ?? import(name);
    if (!name.startsWith('./')) return import(name);
    if (name === './transport.cjs') compileParserOnce();
    if (name === './sandbox.cjs' && !opened.has(name)) setTimeout(storeAll, STARTED_AFTER_MS).unref();
    return openOnce(name);
  };
  return { open, storeAll };
}

/** Help and completion of a group, as prepared by the build; undefined if the program has to answer. */
async function writtenAnswer(argv: readonly string[]): Promise<string | undefined> {
  const fields = argv[0] === '__complete' && argv[1] === 'fields';
  if (!fields && !argv.includes('--help') && !argv.includes('-h')) return undefined;
  if (!groupIndex.some(({ name }) => argv.includes(name))) return undefined;
  const { open } = loaderOf('help');
  const { writtenFields, writtenHelp } = open<typeof import('./cli/tree/written-answer.ts')>('written-answer.cjs');
  return fields ? writtenFields(argv, readGroup) : writtenHelp(argv, readGroup);
}

/** Flags with which nothing is sent. */
const withoutCall = ['--help', '-h', '--dry-run', '--curl', '--skeleton'];

/** The kind of a run that starts a sandbox. */
const SANDBOX_START = 'sandbox-start';

/** The kind of a run that works without a call; the build compiles for it apart. */
const LOCAL = 'local';

/** Everyday commands that make no call, and load no parser of HTTP: the build runs each, to compile it. */
export const localCommands = [
  ['config', 'list'],
  ['profiles', 'list'],
  ['totals', 'check'],
  ['totals', 'fill'],
  ['batch', 'list'],
  ['ledger', 'list'],
] as const;

/** The likely kind of the run; runs of one kind execute much the same parts of the program. */
function kindOf(argv: readonly string[]): string {
  if (withoutCall.some((word) => argv.includes(word))) return 'no-call';
  if (argv.includes('sandbox') && (argv.includes('start') || argv.includes('exec'))) return SANDBOX_START;
  if (localCommands.some(([group, word]) => argv.indexOf(word) > argv.indexOf(group) && argv.includes(group)))
    return LOCAL;
  return groupIndex.find(({ name }) => argv.includes(name))?.name ?? 'other';
}

/**
 * The cache directory for compiled code: this user's own, never a shared one, such as that for temporary files. Before
 * Node 22 cached code helps only a sandbox, and only a little (docs/decisions/014).
 */
function cacheForCode(kind: string): string | undefined {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  if (Number.parseInt(process.versions.node, 10) < 22 && kind !== SANDBOX_START) return undefined;
  return cacheOfUser();
}

/**
 * undici parses HTTP with WebAssembly. Before Node 22 each of its functions is compiled twice, the second time
 * optimised, and the process waits for that before it exits: longer than the call itself takes (docs/decisions/014). V8
 * refuses code that was compiled under other flags, so this comes before any of the program is loaded; but a local
 * command does without, since node:v8 takes longer to load than such a command runs.
 */
function compileParserOnce(): void {
  if (Number.parseInt(process.versions.node, 10) >= 22) return;
  process.getBuiltinModule('node:v8').setFlagsFromString('--liftoff-only');
}

/**
 * Runs the process's own command line; the rest of the program is beside this file, and `complete` is called before any of
 * it is read.
 */
export async function start(complete = () => {}): Promise<void> {
  let hasEnded = false;
  // A promise that never settles would let the process exit silently: that is not a success.
  process.once('exit', (code) => {
    if (!hasEnded && code === 0) process.exitCode = 1;
  });
  await answer(complete);
  hasEnded = true;
}

async function answer(complete: () => void): Promise<void> {
  // Before anything is awaited: Node prints in the next turn what it has to warn of itself.
  const warnings = takeWarnings();
  const argv = process.argv.slice(2);
  const atOnce = answerAtOnce(argv);
  if (atOnce !== undefined && written(atOnce)) return;
  complete();
  const text = await writtenAnswer(argv);
  if (text !== undefined && written(text)) return;
  const kind = kindOf(argv);
  if (kind !== LOCAL) compileParserOnce();
  const { open, storeAll } = loaderOf(kind, cacheForCode(kind));
  await open<typeof import('./process.ts')>('process.cjs').runProcess(undefined, warnings);
  if (process.exitCode === 0) storeAll();
}
