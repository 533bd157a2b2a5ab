import type { CommandData, CommandTree, ExitData, GroupData } from '../tree/tree.ts';
import { exitsOf, flagDescription, flagText, operationText, usageOf } from './reference.ts';

/** Escapes text for roff, so that no line is interpreted as a request. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('`', '\\(ga')
    .replaceAll("'", '\\(aq')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replace(/[^\x00-\x7f]/gu, (sign) => `\\[u${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`)
    .replace(/^\./gm, '\\&.');
}

const bold = (text: string) => `\\fB${roff(text)}\\fR`;
const italic = (text: string) => `\\fI${roff(text)}\\fR`;

const verbatim = (lines: readonly string[]) => ['.PP', '.nf', '.RS 4', ...lines.map(roff), '.RE', '.fi'];

/** Each line of a text becomes a line of the page. */
const paragraph = (text: string) => ['.PP', text.split('\n').map(roff).join('\n.br\n')];

const tagged = (term: string, text: string) => ['.TP', term, roff(text)];

function flagLines(flag: Parameters<typeof flagText>[0] & Parameters<typeof flagDescription>[0]): string[] {
  const [names = '', ...value] = flagText(flag).split(/ (?!--)/);
  return tagged([bold(names), ...value.map(italic)].join(' '), flagDescription(flag));
}

function heading(name: string, summary: string): string[] {
  const title = name.replaceAll(' ', '-');
  return [
    '.\\" Generated from the command tree by scripts/generate.mjs: change the tree.',
    `.TH "${roff(title.toUpperCase())}" 1 "" "shopctl" "shopctl manual"`,
    '.SH NAME',
    `${roff(title)} \\- ${roff(summary)}`,
  ];
}

const exitLines = (exits: readonly ExitData[]) =>
  exits.flatMap(({ code, meaning }) => tagged(bold(String(code)), meaning));

function commandLines(command: CommandData): string[] {
  return [
    `.SS "shopctl ${roff(command.command)}"`,
    roff(command.summary),
    ...(command.description === undefined ? [] : paragraph(command.description)),
    ...verbatim([usageOf(command)]),
    ...command.arguments.flatMap(({ name, description }) => tagged(italic(name.toUpperCase()), description)),
    ...command.flags.flatMap(flagLines),
    ...(command.operations.length > 0
      ? [
          '.PP',
          'Calls:',
          ...command.operations.flatMap((operation) => tagged(roff(operation.id), operationText(operation))),
        ]
      : []),
    ...(command.examples.length > 0 ? ['.PP', 'Examples:', ...verbatim(command.examples)] : []),
  ];
}

function groupPage(group: GroupData, tree: CommandTree): string {
  const commands = tree.commands.filter((command) => command.group === group.name);
  const lines = [
    ...heading(`shopctl ${group.name}`, group.summary),
    '.SH SYNOPSIS',
    ...commands.flatMap((command, index) => [...(index > 0 ? ['.br'] : []), bold(usageOf(command))]),
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
    '.SH "EXIT STATUS"',
    'These, and those named above.',
    ...exitLines(exitsOf(commands)),
    '.SH "SEE ALSO"',
    '.BR shopctl (1)',
  ];
  return `${lines.join('\n')}\n`;
}

function mainPage(tree: CommandTree): string {
  const lines = [
    ...heading('shopctl', 'the command line of a commerce and shipping service'),
    '.SH SYNOPSIS',
    `${bold('shopctl')} ${italic('COMMAND')} [flags]`,
    '.SH COMMANDS',
    ...tree.groups.flatMap(({ name, summary }) => tagged(`.BR shopctl\\-${roff(name)} (1)`, summary)),
    '.SH "GLOBAL FLAGS"',
    'Every command takes them, before or after it.',
    ...tree.global_flags.flatMap((flag) => {
      const variable = flag.env === undefined ? '' : ` [$${flag.env}]`;
      const placeholder = flag.optionalValue ? `[${flag.value}]` : (flag.value ?? '');
      return flagLines({ ...flag, placeholder, description: `${flag.description}${variable}` });
    }),
    '.SH "EXIT STATUS"',
    ...exitLines(tree.exit_codes),
    '.SH "SEE ALSO"',
    ...tree.groups.map(
      ({ name }, index) => `.BR shopctl\\-${roff(name)} (1)${index < tree.groups.length - 1 ? ',' : ''}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** The man pages by file name. */
export function manPages(tree: CommandTree): Map<string, string> {
  return new Map([
    ['shopctl.1', mainPage(tree)],
    ...tree.groups.map((group): [string, string] => [`shopctl-${group.name}.1`, groupPage(group, tree)]),
  ]);
}
