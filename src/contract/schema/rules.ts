import { type Fields, fieldsIn, isRecord } from '../../domain/json/values.ts';
import type { FieldError } from '../operation.ts';
import { say } from '../texts.ts';

/** Validates a request that its schema accepted; see `Operation.rules`. */
export type Rule = (request: object) => FieldError[];

/** A part of a JSON Schema that says what a rule checks, or where it cannot, describes it. */
export type RuleSchema = Fields;

const known = new WeakMap<object, readonly RuleSchema[]>();

/** The same rule, with what it checks as parts of a schema. */
export function saying<Checks extends object>(rule: Checks, ...parts: readonly RuleSchema[]): Checks {
  known.set(rule, parts);
  return rule;
}

/** What a rule checks, as parts of a schema; none for a rule that does not say it. */
export const saidBy = (rule: object | undefined): readonly RuleSchema[] =>
  rule === undefined ? [] : (known.get(rule) ?? []);

/** That the field at a dotted name is there, and fits a schema. */
function present(name: string, schema: RuleSchema = {}): RuleSchema {
  const [first = '', ...rest] = name.split('.');
  const inner = rest.length === 0 ? schema : present(rest.join('.'), schema);
  return { required: [first], ...(Object.keys(inner).length === 0 ? {} : { properties: { [first]: inner } }) };
}

const FILLED = { minLength: 1 };
const NOT_BLANK = { pattern: '\\S' };

/** What holds of the numbers at a dotted name, in every item of lists on the way. */
const atLeastZero = ([step, ...rest]: readonly string[]): RuleSchema =>
  step === undefined ? { minimum: 0 } : { properties: { [step]: { ...atLeastZero(rest), items: atLeastZero(rest) } } };

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
  const check: Rule = (request) => {
    const [given, ...tooMany] = names.filter((name) => isGiven(request, name));
    if (given === undefined) return [{ path: first, message: say().rules.exactlyOne({ names }) }];
    return tooMany.map((name) => ({ path: name, message: say().rules.together({ given, names }) }));
  };
  return saying(check, { oneOf: names.map((name) => present(name, FILLED)) });
}

/** At least one of the fields must be given. */
export function atLeastOneOf(first: string, ...others: string[]): Rule {
  const names = [first, ...others];
  const check: Rule = (request) =>
    names.some((name) => isGiven(request, name)) ? [] : [{ path: first, message: say().rules.atLeastOne({ names }) }];
  return saying(check, { anyOf: names.map((name) => present(name, FILLED)) });
}

/** Given fields must not be blank; the schema says whether they must be given. */
export function notBlank(...names: readonly string[]): Rule {
  const check: Rule = (request) =>
    names.flatMap((name) => {
      const value = fieldsIn(request)[name];
      return typeof value === 'string' && value.trim() === '' ? [{ path: name, message: say().rules.empty }] : [];
    });
  return saying(check, { properties: Object.fromEntries(names.map((name) => [name, NOT_BLANK])) });
}

/** A field that the contract does not require, and without which the record would be empty. */
export function named(name: string): Rule {
  const isBlank = notBlank(name);
  const check: Rule = (request) =>
    isGiven(request, name) ? isBlank(request) : [{ path: name, message: say().required }];
  return saying(check, present(name, NOT_BLANK));
}

/** All of the rules. */
export function allOf(...rules: readonly Rule[]): Rule {
  const check: Rule = (request) => rules.flatMap((rule) => rule(request));
  return saying(check, ...rules.flatMap(saidBy));
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
  const check: Rule = (request) =>
    names
      .flatMap((name) => [...numbersAt(request, name.split('.'))])
      .flatMap(([path, amount]) => (amount < 0 ? [{ path, message: say().rules.negative }] : []));
  return saying(check, ...names.map((name) => atLeastZero(name.split('.'))));
}
