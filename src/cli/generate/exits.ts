import { entriesOf } from '../../domain/json/keys-of.ts';
import { type ExitName, exitCodes } from '../errors/exit.ts';
import type { CommandData, ExitData } from '../tree/tree.ts';

const always: readonly ExitName[] = ['success', 'failure', 'usage', 'configuration', 'interrupted', 'terminated'];
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
