/* What every command is tried with: its example, on a machine with keys that are nowhere else. */
import { isDeepStrictEqual } from 'node:util';
import type { globalFlags } from '../../../src/cli/line/globals.ts';
import { type CommandData, loadTree } from '../../../src/cli/tree/tree.ts';
import type { WireRequest } from '../../../src/platform/http/transport.ts';
import type { Settings } from '../../../src/platform/settings/settings.ts';
import { type RunOptions, type TestMachine, testMachine } from '../../support/context.ts';
import { runnableWords, withWords } from '../../support/example-words.ts';
import { flagExamples } from '../../support/flag-examples.ts';
import { json } from '../../support/scripted-transport.ts';

/** Every command there is. */
export const { commands } = await loadTree();
/** Each with its name. */
export const named = commands.map((command) => [command.command, command] as const);
/** Those that call an operation of the service. */
export const calling = named.filter(([, { operations }]) => operations.length > 0);

/** How a command line is built. */
const shapeOf = ({ command, arguments: taken, operations, examples }: CommandData) =>
  JSON.stringify([
    command.split(' ').length,
    taken.map(({ required, variadic }) => [required, variadic]),
    operations.length > 0,
    examples.some((example) => example.includes(' -- ')),
  ]);
/** A command of each shape: the product with all flags is tried of these. */
export const ofEachShape = [...new Map(named.toReversed().map((entry) => [shapeOf(entry[1]), entry])).values()];
/** Whether a command is one of those. */
export const isShown = ({ command }: CommandData) => ofEachShape.some(([name]) => name === command);

/** The address of the service that nobody reaches. */
export const baseUrl = 'http://127.0.0.1:4010';
/** Keys that are nowhere else. */
export const keys = {
  partner: '7:canary-of-the-partner',
  shop: 'shop8:canary-of-the-shop',
  own: '8:canary-of-its-own',
};
/** The settings of a machine that has them. */
export const settings: Settings = {
  version: 1,
  current_profile: 'test',
  profiles: {
    test: {
      kind: 'partner',
      base_url: baseUrl,
      api_key: keys.partner,
      shops: { '8': { name: 'Tea House', shop_key: keys.shop } },
      current_shop: '8',
    },
    'sandbox-shop': { kind: 'shop', base_url: baseUrl, api_key: keys.own },
  },
};

/** A value for each global flag that takes one, of a kind that it takes. */
export const values = flagExamples({
  profile: 'test',
  shop: '8',
  'base-url': baseUrl,
  output: 'json',
  fields: 'id',
  query: '@',
  'max-retries': '0',
});

/** A global flag as it is typed. */
export const wordsOf = ({ name, value }: (typeof globalFlags)[number]) =>
  value === undefined ? [`--${name}`] : [`--${name}`, values[name] ?? ''];

/** Commands that run until a signal. */
const endless = new Set(['console', 'sandbox start', 'webhooks listen', 'events tail']);

/** What runs until a signal gets one at once, unless it fails before. */
export function endingAtOnce({ command }: CommandData): RunOptions {
  return endless.has(command) ? { signal: AbortSignal.abort('SIGTERM') } : {};
}

/** A machine on which a command is run. */
interface Walked {
  readonly machine: TestMachine;
  readonly requests: WireRequest[];
  /** Runs the example of the command with words before it and behind it, each time with the same settings. */
  run(before: readonly string[], behind: readonly string[], options?: RunOptions): ReturnType<TestMachine['run']>;
}

/** What a service answers that knows nothing. */
export const notFound = json(404, { code: 'not_found', msg: 'none', meta: {} });

/** The profile whose keys the command's first operation takes. */
const profileFor = ({ operations }: CommandData) =>
  operations[0]?.credential === 'shop-api-key' ? 'sandbox-shop' : 'test';

/** The command's example on a machine with canary keys, whose service knows nothing of what is asked for. */
export async function walk(command: CommandData): Promise<Walked> {
  const requests: WireRequest[] = [];
  const machine = testMachine(async (request) => {
    requests.push(request);
    return notFound;
  });
  const own = { ...settings, current_profile: profileFor(command) };
  await machine.save(own);
  const words = runnableWords(command);
  return {
    machine,
    requests,
    async run(before, behind, options) {
      const ended = await machine.run([...before, ...withWords(words, behind)], options);
      if (!isDeepStrictEqual(await machine.settings(), own)) await machine.save(own);
      return ended;
    },
  };
}
