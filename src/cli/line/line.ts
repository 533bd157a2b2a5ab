import { type Format, formatOf } from '../print/formats.ts';
import { type GivenGlobals, type GlobalFlag, globalFlags, isOn } from './globals.ts';

/** A command line as far as it can be parsed without knowing the command's own flags. */
export interface Line {
  /** The words that are not flags. */
  readonly words: readonly string[];
  /** The global flags by name; the last one counts. One whose value is missing is left out. */
  readonly globals: GivenGlobals;
}

type Spelled = readonly [flag: GlobalFlag, attached: string | undefined];

/** The global flags in one word: `--output=json`, `-o`, `-ojson`, `-qo`; none if the word is not a global flag. */
function spelledIn(word: string): readonly Spelled[] {
  if (word.startsWith('--')) {
    const at = word.indexOf('=');
    const name = at < 0 ? word.slice(2) : word.slice(2, at);
    const flag = globalFlags.find((known) => known.name === name);
    return flag === undefined ? [] : [[flag, at < 0 ? undefined : word.slice(at + 1)]];
  }
  const flag = globalFlags.find(({ short }) => short !== undefined && short === word[1]);
  if (flag === undefined) return [];
  const rest = word.slice(2);
  if (rest === '') return [[flag, undefined]];
  return flag.value === undefined ? [[flag, undefined], ...spelledIn(`-${rest}`)] : [[flag, rest]];
}

/** Parses a line by commander's grammar, so that the early result agrees with what commander will find. */
export function readLine(argv: readonly string[]): Line {
  const words: string[] = [];
  const globals: Record<string, string | true> = {};
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--') break;
    if (!word.startsWith('-') || word === '-') {
      words.push(word);
      continue;
    }
    for (const [flag, attached] of spelledIn(word)) {
      const next = argv[index + 1];
      // An optional value is present if the next word is not a flag.
      const takesNext =
        flag.value !== undefined &&
        attached === undefined &&
        next !== undefined &&
        (flag.optionalValue !== true || !next.startsWith('-'));
      if (takesNext) index += 1;
      const value = attached ?? (takesNext ? next : undefined);
      if (flag.value === undefined || (flag.optionalValue === true && value === undefined)) globals[flag.name] = true;
      else if (value !== undefined) globals[flag.name] = value;
    }
  }
  return { words, globals };
}

type Env = Readonly<Record<string, string | undefined>>;

/** Whether `--debug` or its variable asks for a stack trace of a bug. */
export function wantsTrace({ globals }: Line, env: Env): boolean {
  return globals.debug === true || isOn(env.SHOPCTL_DEBUG);
}

/** The requested format, parsed from the line itself, since the settings may be what is wrong. */
export function formatAsked({ globals }: Pick<Line, 'globals'>, env: Env): Format {
  if (globals.json === true) return formatOf('json');
  return formatOf(typeof globals.output === 'string' ? globals.output : env.SHOPCTL_OUTPUT);
}
