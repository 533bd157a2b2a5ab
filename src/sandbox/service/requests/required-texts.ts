import { invalid } from '../../engine/refusal.ts';

/** Refuses with 400 the first of the fields that is absent or blank. */
export function requireTexts<Name extends string>(
  fields: { readonly [N in Name]?: string | null | undefined },
  names: readonly Name[],
): void {
  for (const name of names) if ((fields[name] ?? '').trim() === '') throw invalid(name, 'is missing');
}
