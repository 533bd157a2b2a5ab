/* What each command writes on stderr for a program, tried in every way in which a run ends: `npm test` tries one of them
 * with each command and the others with one of each shape, `npm run proof` the rest. */
import { expect } from 'vitest';
import type { CommandData } from '../../../src/cli/tree/tree.ts';
import { findOperation } from '../../../src/contract/areas.ts';
import { TransportError } from '../../../src/platform/http/transport.ts';
import type { Settings } from '../../../src/platform/settings/settings.ts';
import { type Ended, type RunOptions, testMachine } from '../../support/context.ts';
import { runnableWords, withWords } from '../../support/example-words.ts';
import { sampleAnswer } from '../../support/sample-answer.ts';
import { json } from '../../support/scripted-transport.ts';
import { stderrLines } from '../../support/stderr-lines.ts';
import { steppedClock } from '../../support/stepped-clock.ts';
import { baseUrl, endingAtOnce, isShown, named, notFound, ofEachShape, settings } from './walk.ts';

export type Transport = Parameters<typeof testMachine>[0];

const never: Transport = async () => {
  throw new TransportError('refused', 'no', 'connection refused');
};

const unavailable: Transport = async () => json(503, { code: 'unavailable', msg: 'down', meta: {} });

/** Answers every operation as declared. */
const answering: Transport = async ({ url, body }) => {
  const operation = await findOperation(url.replace(/^.*\/v1\//, ''));
  return operation === undefined ? notFound : json(200, sampleAnswer(operation, JSON.parse(body)));
};

/** Runs the example of a command on a machine of its own; what waits again and again ends after some looks. */
async function tried(
  command: CommandData,
  more: readonly string[],
  { transport = never, saved = settings, ...options }: RunOptions & { transport?: Transport; saved?: Settings } = {},
): Promise<Ended> {
  const machine = testMachine(transport);
  const own = command.operations[0]?.credential === 'shop-api-key' ? 'sandbox-shop' : 'test';
  await machine.save(saved === settings ? { ...settings, current_profile: own } : saved);
  const stepped = steppedClock();
  const stop = new AbortController();
  const clock = {
    ...stepped,
    wait(ms: number, signal?: AbortSignal) {
      if (stepped.waits.length > 50) stop.abort('SIGTERM');
      return stepped.wait(ms, signal);
    },
  };
  const words = withWords(runnableWords(command), more);
  return machine.run(words, { clock, signal: stop.signal, ...endingAtOnce(command), ...options });
}

/** The ways in which a command is run. */
export const shapes: Readonly<Record<string, (command: CommandData) => Promise<Ended>>> = {
  'where all goes well': (command) => tried(command, ['-o', 'json', '--yes'], { transport: answering }),
  'with jsonl and --debug': (command) => tried(command, ['-o', 'jsonl', '--yes', '--debug'], { transport: answering }),
  'where the service knows nothing': (command) =>
    tried(command, ['-o', 'json', '--yes', '--debug'], { transport: async () => notFound }),
  'where the service is away': (command) => tried(command, ['-o', 'json', '--yes']),
  'where the service is unavailable': (command) =>
    tried(command, ['-o', 'json', '--yes', '--debug'], { transport: unavailable }),
  'without a key': (command) => tried(command, ['-o', 'json', '--yes'], { saved: { version: 1, profiles: {} } }),
  'as a dry run': (command) => tried(command, ['-o', 'json', '--dry-run']),
  'in read-only mode': (command) => tried(command, ['-o', 'json', '--read-only', '--yes'], { transport: answering }),
  'with a flag that there is not': (command) => tried(command, ['--no-such-flag', '-o', 'json']),
  'with the format in the environment': (command) =>
    tried(command, ['--profile', 'nobody'], { env: { SHOPCTL_OUTPUT: 'jsonl' } }),
  'with the format in the profile': (command) =>
    tried(command, ['--no-such-flag'], {
      saved: { version: 1, current_profile: 'a', profiles: { a: { kind: 'shop', base_url: baseUrl, output: 'json' } } },
    }),
};

/** Starting a whole sandbox for each of them takes most of the time of all. */
const slow = /^(?:sandbox (?:start|exec)|console)$/;
const isTried = (shape: string, [name]: (typeof named)[number]) => !slow.test(name) || shape.startsWith('with');

/** The way that is tried with every command in `npm test`. */
const always = 'with jsonl and --debug';

const those = (commands: typeof named, chosen: (shape: string) => boolean) =>
  Object.keys(shapes)
    .filter(chosen)
    .flatMap((shape) =>
      commands.filter((each) => isTried(shape, each)).map(([name, data]) => [shape, name, data] as const),
    );

/** For `npm test`: each way, with the commands to try. */
export const someRuns = [
  ...those(named, (shape) => shape === always),
  ...those(ofEachShape, (shape) => shape !== always),
];

/** For `npm run proof`: the other commands, each in every third way, and those next to each other in turn. */
export const otherRuns = those(
  named.filter(([, command]) => !isShown(command)),
  (shape) => shape !== always,
).filter((_, place) => place % 3 === 0);

/** Each line is an object of its own, and at most the last one an error, whose exit code is that of the run. */
export async function writesObjects(shape: string, command: CommandData): Promise<void> {
  const ended = await shapes[shape]?.(command);
  if (ended === undefined) throw new TypeError(`no way ${shape}`);
  for (const error of stderrLines(ended.stderr).errors) expect(error.exit_code).toBe(ended.exit);
}
