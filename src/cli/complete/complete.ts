import type { Context } from '../context.ts';
import type { GivenGlobals } from '../line/globals.ts';
import { readLine } from '../line/line.ts';
import { recallIds } from '../run/id-cache.ts';
import type { Session } from '../session/session.ts';
import { groups } from '../tree/groups.ts';

/**
 * Far more than the work takes (10 to 60 ms): it guards against a home directory on a network file system that hangs.
 */
const TIME_LIMIT_MS = 400;

/**
 * Letters, digits and characters without a meaning in any shell: anything else would need quoting and is not offered.
 */
const SAFE = /^[\p{L}\p{N}_][\p{L}\p{N}_.:@%+,/-]*$/u;

/** The global flags among words that are still being typed. Completion does not depend on a partly typed format. */
function globalsIn(words: readonly string[]): GivenGlobals {
  const { output: _, ...globals } = readLine(words).globals;
  return Object.fromEntries(Object.entries(globals).filter(([, value]) => value !== true && value !== ''));
}

type Answer = (session: Session, words: readonly string[], of: string, context: Context) => Promise<readonly string[]>;

/** The fields of a command's records. In a built program they are returned before it is loaded (src/start.ts). */
async function fieldsOf(_session: Session, words: readonly string[]): Promise<readonly string[]> {
  const line = readLine(words).words;
  const entry = groups.find(({ name }) => name === line[0]);
  if (entry === undefined) return [];
  const [{ commandsToWrite }, { fieldsIn }] = await Promise.all([
    import('../tree/written-commands.ts'),
    import('../tree/written-answer.ts'),
  ]);
  return fieldsIn(line, await commandsToWrite(entry));
}

const answers: Readonly<Record<string, Answer>> = {
  profiles: async ({ store }) =>
    Object.entries((await store.read()).profiles).map(([name, { kind, base_url }]) => `${name}\t${kind} ${base_url}`),
  shops: async ({ settings }) =>
    Object.entries(settings.profile?.shops ?? {}).map(([id, { name }]) => `${id}\t${name ?? 'shop'}`),
  ids: async (session, _words, of, context) => (await recallIds(context, session, of)).map((id) => `${id}\t${of}`),
  fields: fieldsOf,
};

async function candidates(context: Context): Promise<readonly string[]> {
  const [, what = '', ...rest] = context.argv;
  const end = rest.indexOf('--');
  const words = end < 0 ? [] : rest.slice(end + 1);
  const answer = Object.hasOwn(answers, what) ? answers[what] : undefined;
  if (answer === undefined) return [];
  const { openSession } = await import('../session/session.ts');
  // Invalid settings in the environment are reported when the command runs.
  const session = await openSession(context, globalsIn(words));
  return answer(session, words, rest[0] ?? '', context);
}

/**
 * `shopctl __complete WHAT [OF] -- WORDS`: dynamic candidates, one per line with its description after a tab. Reads
 * files, never the network; prints nothing on any error or timeout.
 */
export async function complete(context: Context): Promise<void> {
  const { makeSafe } = await import('../../platform/terminal/text-safety.ts');
  const inTime = new AbortController();
  const late = context.clock.wait(TIME_LIMIT_MS, inTime.signal).then(
    () => [],
    () => [],
  );
  const found = await Promise.race([candidates(context).catch(() => []), late]);
  inTime.abort();
  const lines = found.filter((line) => SAFE.test(line.split('\t')[0] ?? ''));
  await context.stdout.write(
    lines
      .map(
        (line) =>
          `${line
            .split('\t')
            .map((part) => makeSafe(part))
            .join('\t')}\n`,
      )
      .join(''),
  );
}
