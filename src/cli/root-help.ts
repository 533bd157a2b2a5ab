import { type GlobalFlag, globalFlags } from './globals.ts';
import { type GroupSummary, groupIndex } from './group-index.ts';

function flagLine({ name, short, value, optionalValue, description, values, env }: GlobalFlag): string {
  const placeholder = value === undefined ? '' : optionalValue ? ` [${value}]` : ` ${value}`;
  const left = `${short === undefined ? '    ' : `-${short}, `}--${name}${placeholder}`;
  const names = values === undefined ? '' : `: ${values.join(', ')}`;
  const variable = env === undefined ? '' : ` [$${env}]`;
  return `  ${left.padEnd(24)}  ${description}${names}${variable}`;
}

const sections: readonly GroupSummary['section'][] = ['Ship', 'Shop', 'Account and tools'];

/** The help of `shopctl` itself: its groups first, then the flags that every command honours. */
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
    'More: shopctl COMMAND --help; shopctl help environment|exit-codes|formatting|input|sandbox',
    '',
  ].join('\n');
}
