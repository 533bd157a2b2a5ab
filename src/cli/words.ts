import { globalFlags, isOn } from './globals.ts';

/** The words of a command line that are no flags, as far as they can be told without knowing the command's own flags. */
export function leadingWords(argv: readonly string[]): string[] {
  const words: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--') break;
    if (!word.startsWith('-') || word === '-') {
      words.push(word);
      continue;
    }
    const flag = globalFlags.find(({ name, short }) => word === `--${name}` || word === `-${short}`);
    if (flag?.value === undefined) continue;
    // A value that may be left out is there when the next word is no flag, as commander reads it.
    if (flag.optionalValue !== true || !(argv[index + 1] ?? '-').startsWith('-')) index += 1;
  }
  return words;
}

/** Whether `--version` stands among the words that are ours. */
export function wantsVersion(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).includes('--version');
}

/** Whether `--debug` or its variable asks for more than the message of a bug. */
export function wantsTrace({
  argv,
  env,
}: {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
}): boolean {
  return argv.includes('--debug') || isOn(env.SHOPCTL_DEBUG);
}

/** The format that errors are to be reported in, told from the raw words, since they may be what is wrong. */
export function wantsMachineFormat(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  let format = env.SHOPCTL_OUTPUT || 'table';
  for (const [index, word] of argv.entries()) {
    if (word === '--') break;
    if (word === '--json') format = 'json';
    else if (word === '-o' || word === '--output') format = argv[index + 1] ?? format;
    else if (word.startsWith('--output=')) format = word.slice('--output='.length);
    else if (/^-o./.test(word)) format = word.slice(2).replace(/^=/, '');
  }
  return format !== 'table';
}
