import { type GlobalFlag, globalFlags } from '../line/globals.ts';
import { type GroupSummary, groupIndex } from './group-index.ts';

/** A terminal of this many columns wraps no line of the help. */
const WIDTH = 80;

/** A text beside a label, on as many lines as it needs, aligned with the first. */
function beside(left: string, text: string): string {
  const room = WIDTH - left.length;
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + word.length + 1 > room) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return `${left}${lines.join(`\n${' '.repeat(left.length)}`)}`;
}

function flagLine({ name, short, value, optionalValue, description, values, env }: GlobalFlag): string {
  const placeholder = value === undefined ? '' : optionalValue ? ` [${value}]` : ` ${value}`;
  const left = `${short === undefined ? '    ' : `-${short}, `}--${name}${placeholder}`;
  const names = values === undefined ? '' : `: ${values.join(', ')}`;
  const variable = env === undefined ? '' : ` [$${env}]`;
  return beside(`  ${left.padEnd(24)}  `, `${description}${names}${variable}`);
}

const sections: readonly GroupSummary['section'][] = ['Ship', 'Shop', 'Account and tools'];

/** The help of `shopctl` itself: its groups first, then the global flags. */
export function rootHelp(): string {
  const lines = sections.flatMap((section) => [
    `${section}:`,
    ...groupIndex
      .filter((group) => group.section === section)
      .map(({ name, summary }) => `  ${name.padEnd(14)}${summary}`),
    '',
  ]);
  return [
    'Usage: shopctl COMMAND [flags]',
    '',
    'Quote, ship and manage a shop over a commerce and shipping service.',
    '',
    ...lines,
    'Global flags, before or after a command:',
    ...globalFlags.map(flagLine),
    '',
    'Try it without an account: shopctl sandbox start',
    'More: shopctl COMMAND --help',
    '      shopctl help environment|exit-codes|formatting|input|sandbox',
    '',
  ].join('\n');
}
