import type { Credential } from '../../contract/operation.ts';
import { entriesOf } from '../../domain/json/keys-of.ts';
import { type ExitName, exitCodes } from '../errors/exit.ts';
import type { CommandData, CommandTree, ExitData, GroupData, OperationData } from '../tree/tree.ts';

const keys: Readonly<Record<Credential, string>> = {
  'partner-api-key': "a partner's API key",
  'shop-key': "a partner's key for one shop",
  'shop-api-key': "a shop's own API key",
};

/** The synopsis of a command, as help shows it. */
export function usageOf({ command, arguments: positional, flags }: CommandData): string {
  const operands = positional.map(({ name, required, variadic }) => {
    const text = `${name.toUpperCase()}${variadic === true ? '...' : ''}`;
    return required ? text : `[${text}]`;
  });
  return ['shopctl', command, ...operands, ...(flags.length > 0 ? ['[flags]'] : [])].join(' ');
}

/** The effect and the required key of an operation, in words. */
export function operationText({ effect, credential }: OperationData): string {
  return `${effect === 'read' ? 'reads' : `writes (${effect})`}, with ${keys[credential]}`;
}

/** A flag as typed, with its placeholder: `-o, --output FORMAT`. */
export function flagText(flag: {
  readonly name: string;
  readonly short?: string;
  readonly placeholder: string;
}): string {
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  return `${short}--${flag.name}${flag.placeholder === '' ? '' : ` ${flag.placeholder}`}`;
}

/** A flag's description, its allowed values, and whether it is required. */
export function flagDescription(flag: {
  readonly description: string;
  readonly values?: readonly string[];
  readonly required?: boolean;
}): string {
  const values = flag.values === undefined ? '' : ` (${flag.values.join(', ')})`;
  return `${flag.description}${values}${flag.required === true ? ' (required)' : ''}`;
}

/** Escapes text for a table cell: a bar would end it, and angle brackets would be HTML. */
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');

const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``;

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line), ''];
}

const fenced = (lines: readonly string[]) => ['```sh', ...lines, '```', ''];

const exitTable = (exits: readonly ExitData[]) =>
  table(
    ['code', 'meaning'],
    exits.map((exit) => [String(exit.code), cell(exit.meaning)]),
  );

/** Keeps the lines of a description: two trailing spaces force a line break. */
const paragraph = (text: string | undefined) => (text === undefined ? [] : [text.replaceAll('\n', '  \n'), '']);

function commandSection(command: CommandData): string[] {
  return [
    `## shopctl ${command.command}`,
    '',
    command.summary,
    '',
    ...paragraph(command.description),
    ...fenced([usageOf(command)]),
    ...table(
      ['argument', 'description'],
      command.arguments.map(({ name, description }) => [code(name.toUpperCase()), cell(description)]),
    ),
    ...table(
      ['flag', 'description'],
      command.flags.map((flag) => [code(flagText(flag)), cell(flagDescription(flag))]),
    ),
    ...table(
      ['operation', ''],
      command.operations.map((operation) => [code(operation.id), operationText(operation)]),
    ),
    ...(command.examples.length > 0 ? ['Examples:', '', ...fenced(command.examples)] : []),
  ];
}

const generated = '<!-- Generated from the command tree by scripts/generate.mjs: change the tree. -->';

/** The page of one group, in Markdown. */
function groupPage(group: GroupData, tree: CommandTree): string {
  const commands = tree.commands.filter((command) => command.group === group.name);
  return [
    generated,
    '',
    `# shopctl ${group.name}`,
    '',
    group.summary,
    '',
    ...commands.flatMap(commandSection),
    '## Exit codes',
    '',
    'These, and those named above; [all of them](README.md#exit-codes).',
    '',
    ...exitTable(exitsOf(commands)),
    'The [global flags](README.md#global-flags) are honoured by every command.',
    '',
  ].join('\n');
}

function indexPage(tree: CommandTree): string {
  const sections = [...new Set(tree.groups.map(({ section }) => section))];
  return [
    generated,
    '',
    '# Reference of shopctl',
    '',
    ...sections.flatMap((section) => [
      `## ${section}`,
      '',
      ...table(
        ['command', 'what it is for'],
        tree.groups
          .filter((group) => group.section === section)
          .map((group) => [`[${group.name}](${group.name}.md)`, cell(group.summary)]),
      ),
    ]),
    '## Global flags',
    '',
    'Every command takes them, before or after it.',
    '',
    ...table(
      ['flag', 'description', 'variable'],
      tree.global_flags.map((flag) => [
        code(flagText({ ...flag, placeholder: flag.optionalValue ? `[${flag.value}]` : (flag.value ?? '') })),
        cell(flagDescription(flag)),
        flag.env === undefined ? '' : code(flag.env),
      ]),
    ),
    '## Exit codes',
    '',
    ...exitTable(tree.exit_codes),
  ].join('\n');
}

/** The pages of the reference by file name. */
export function referencePages(tree: CommandTree): Map<string, string> {
  return new Map([
    ['README.md', indexPage(tree)],
    ...tree.groups.map((group): [string, string] => [`${group.name}.md`, groupPage(group, tree)]),
  ]);
}

const always: readonly ExitName[] = [
  'success',
  'failure',
  'usage',
  'configuration',
  'hungUp',
  'interrupted',
  'terminated',
];
const calling: readonly ExitName[] = ['notFound', 'credential', 'throttled', 'network', 'service'];
const writing: readonly ExitName[] = ['conflict', 'unknownOutcome', 'policy'];

/** The exit codes that follow from what the commands call; further ones are in a command's description. */
export function exitsOf(commands: readonly CommandData[]): ExitData[] {
  const operations = commands.flatMap((command) => command.operations);
  const names = new Set<ExitName>([
    ...always,
    ...(operations.length > 0 ? calling : []),
    ...(operations.some(({ effect }) => effect !== 'read') ? writing : []),
    ...(operations.some(({ partial, effect }) => partial && effect !== 'read') ? (['partial'] as const) : []),
  ]);
  const entries = entriesOf<ExitName, ExitData>(exitCodes);
  return entries.filter(([name]) => names.has(name)).map(([, { code, meaning }]) => ({ code, meaning }));
}
