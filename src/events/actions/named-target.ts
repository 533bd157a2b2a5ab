import type { WorkspaceTables } from '../../store/tables.ts';

/** Says that no target has that name or address, and which there are. */
export function noTarget(given: string, known: readonly { readonly name: string }[]): string {
  const names = known.length === 0 ? 'there are none' : `there are ${known.map(({ name }) => name).join(', ')}`;
  return `no target has the name or the address ${given}; ${names}`;
}

/** Thrown if no target has that name. */
export class NoSuchTargetError extends Error {
  readonly kind = 'service';
  readonly code = 'not_found';

  constructor(message: string) {
    super(message);
    this.name = 'NoSuchTargetError';
  }
}

/** The name of the target that is meant by its name or address. Throws a NoSuchTargetError. */
export async function nameOfTarget(database: WorkspaceTables, account: string, given: string): Promise<string> {
  const { targetMeant, targetsOf } = await import('../listen/index.ts');
  const known = await targetsOf(database, account);
  const meant = targetMeant(given, known);
  if (meant === undefined) throw new NoSuchTargetError(noTarget(given, known));
  return meant.name;
}
