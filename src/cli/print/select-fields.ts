import { nearestNames } from '../../domain/nearest-name.ts';
import { withoutKeys } from '../../platform/settings/secret.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { View } from './document.ts';
import { say } from './texts.ts';

/** Every valid `--fields` path of a view, in the view's order; undefined if the view does not define them. */
export function knownFields(view: View): string[] | undefined {
  if (view.fields === undefined) return undefined;
  return [...new Set([...view.columns.map(({ path }) => path), ...view.fields])];
}

/** Throws a UsageError for fields unknown to the view, naming all of them with suggestions. */
export function checkFields(fields: readonly string[], view: View): void {
  if (fields.length === 0 || fields.some((field) => field.split('.').includes(''))) {
    throw new UsageError(say().fields.names);
  }
  const known = knownFields(view);
  const isKnown = (field: string) => known?.some((path) => path === field || path.startsWith(`${field}.`)) ?? true;
  // A key that was typed here would head what is printed: no field is called like one.
  const unknown = fields.filter((field) => !isKnown(field) || withoutKeys(field, []) !== field);
  if (unknown.length === 0) return;
  const near = [...new Set(unknown.flatMap((field) => nearestNames(field, known ?? [])))];
  throw new UsageError(say().fields.unknown({ names: unknown }), {
    hint: near.length > 0 ? say().didYouMean({ names: near }) : say().fields.list,
    fieldErrors: unknown.map((field) => ({
      path: field,
      label: `--fields ${field}`,
      message: say().fields.none,
    })),
  });
}
