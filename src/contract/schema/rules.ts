import { fieldsIn, isRecord } from '../../domain/json/values.ts';
import type { FieldError } from '../operation.ts';

/** Validates a request that its schema accepted; see `Operation.rules`. */
export type Rule = (request: object) => FieldError[];

/**
 * Whether the field at a dotted name is given; the empty string counts as not given, as in a filter (decisions, section
 * 4).
 */
function isGiven(request: object, name: string): boolean {
  let value: unknown = request;
  for (const step of name.split('.')) {
    value = fieldsIn(value)[step];
  }
  return value !== undefined && value !== null && value !== '';
}

/** Exactly one of the fields must be given; names may be dotted, as in `filter.group_id`. */
export function exactlyOneOf(first: string, ...others: string[]): Rule {
  const names = [first, ...others];
  const wanted = `give exactly one of ${names.join(', ')}`;
  return (request) => {
    const [given, ...tooMany] = names.filter((name) => isGiven(request, name));
    if (given === undefined) return [{ path: first, message: `is missing: ${wanted}` }];
    return tooMany.map((name) => ({ path: name, message: `cannot go together with ${given}: ${wanted}` }));
  };
}

/** At least one of the fields must be given. */
export function atLeastOneOf(first: string, ...others: string[]): Rule {
  const names = [first, ...others];
  const message = `is missing: give at least one of ${names.join(', ')}`;
  return (request) => (names.some((name) => isGiven(request, name)) ? [] : [{ path: first, message }]);
}

/** Given fields must not be blank; the schema says whether they must be given. */
export function notBlank(...names: readonly string[]): Rule {
  return (request) =>
    names.flatMap((name) => {
      const value = fieldsIn(request)[name];
      return typeof value === 'string' && value.trim() === '' ? [{ path: name, message: 'must not be empty' }] : [];
    });
}

/** A field that the contract does not require, and without which the record would be empty. */
export function named(name: string): Rule {
  const isBlank = notBlank(name);
  return (request) => (isGiven(request, name) ? isBlank(request) : [{ path: name, message: 'is required' }]);
}

/** All of the rules. */
export function allOf(...rules: readonly Rule[]): Rule {
  return (request) => rules.flatMap((rule) => rule(request));
}

/** Finds the numbers at a dotted name, in all items of lists on the way, each with its path. */
function* numbersAt(value: unknown, [step, ...rest]: readonly string[], path = ''): Generator<[string, number]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* numbersAt(item, step === undefined ? [] : [step, ...rest], `${path}[${index}]`);
    }
  } else if (step === undefined) {
    if (typeof value === 'number') yield [path, value];
  } else if (isRecord(value)) {
    yield* numbersAt(value[step], rest, path === '' ? step : `${path}.${step}`);
  }
}

/** Amounts, weights and sizes must not be negative; names may be dotted and descend into every item of a list. */
export function notNegative(...names: readonly string[]): Rule {
  return (request) =>
    names
      .flatMap((name) => [...numbersAt(request, name.split('.'))])
      .flatMap(([path, amount]) => (amount < 0 ? [{ path, message: 'must not be negative' }] : []));
}
