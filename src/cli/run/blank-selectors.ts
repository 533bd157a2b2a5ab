import type { Action } from '../../action/action.ts';
import { invalidInput } from '../../client/refusal.ts';
import { jsonSchema } from '../../contract/schema/json-schema.ts';
import { type Fields, fieldsIn } from '../../domain/json/values.ts';
import { say } from './texts.ts';

type Input = Fields;

/** Whether a value is a blank text, or a list with one. */
const isBlank = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.some(isBlank);

/** Other identifiers of a record of the service, by which it is found. */
const otherNames: readonly string[] = ['code', 'shipping_code', 'external_id'];

/**
 * Whether a field of an action's input says which one, as opposed to what is stored in it: of a write at the service,
 * the names of the record alone. What an update finds by its id alone may have its other names cleared.
 */
function selectorsOf({ id, effect, input, positional = [], hints = {} }: Action): (name: string) => boolean {
  if (!id.includes('/') || effect === 'read') return (name) => hints[name]?.mayBeEmpty !== true;
  if (effect === 'create') return (name) => positional.includes(name) || name === 'external_id';
  const required = jsonSchema(input).required ?? [];
  const isFoundByOthers = !positional.some((name) => required.includes(name));
  return (name) => positional.includes(name) || (isFoundByOthers && otherNames.includes(name));
}

/** The fields of an input, those of a record whose fields are the action's own by their path. */
function fieldsOf(
  { hints = {} }: Action,
  input: Input,
): readonly (readonly [path: string, name: string, value: unknown])[] {
  return Object.entries(input).flatMap(([name, value]) =>
    hints[name]?.inline === true
      ? Object.entries(fieldsIn(value)).map(([inner, one]) => [`${name}.${inner}`, inner, one] as const)
      : [[name, name, value] as const],
  );
}

/**
 * Refuses an input in which what names something is blank: a script whose variable is not set means neither the newest
 * one, nor all of them. `bare` are fields that were given without a value, on purpose.
 */
export function refuseBlankSelectors(action: Action, input: Input, bare: ReadonlySet<string> = new Set()): void {
  const isSelector = selectorsOf(action);
  const blank = fieldsOf(action, input).filter(
    ([, name, value]) => isSelector(name) && !bare.has(name) && isBlank(value),
  );
  if (blank.length === 0) return;
  const required = jsonSchema(action.input).required ?? [];
  throw invalidInput(
    blank.map(([path, name]) => ({
      path,
      message: required.includes(name) ? say().input.empty : say().input.emptyOrOut,
    })),
  );
}
