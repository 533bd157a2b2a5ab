import { labels } from '../../contract/labels.ts';
import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { lookAtText } from '../../contract/schema/likeness.ts';
import { unitText } from '../../contract/schema/scalars.ts';
import { isRecord } from '../../domain/json/values.ts';
import type { Prompter } from '../../platform/terminal/prompter.ts';
import { makeSafe } from '../../platform/terminal/text-safety.ts';
import type { Draft } from '../flags/read-flags.ts';
import { say } from './texts.ts';

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

/** What a field is called in the language of the run, here or as a column; undefined where only its description tells. */
function nameOf(name: string): string | undefined {
  const heading = labels().heading(name);
  return say().fields[name] ?? (heading === name ? undefined : heading);
}

/** The fields on the way to one, in words. */
const calledOf = (path: string): string =>
  path
    .split(' ')
    .map((name) => nameOf(name) ?? name.replaceAll('_', ' '))
    .join(' ');

function labelOf(name: string, { description, unit }: JsonSchema): string {
  const called = calledOf(name);
  // What has a name of its own needs no description.
  const isKnown = nameOf(name.split(' ').at(-1) ?? '') !== undefined;
  return makeSafe(
    say().ask({
      name: called,
      description: isKnown ? undefined : description,
      unit: isKnown || unit === undefined ? undefined : unitText(unit),
    }),
  );
}

function validate(schema: JsonSchema, answer: string): true | string {
  const text = answer.trim();
  if (text === '') return say().answer.required;
  if (schema.format === 'int64') return /^-?\d{1,19}$/.test(text) || say().answer.id;
  if (schema.type === 'integer') return (/^-?\d{1,15}$/.test(text) && true) || say().answer.whole;
  if (schema.type === 'number') return Number.isFinite(Number(text)) || say().answer.number;
  const look = lookAtText(schema.likeness, text);
  return look?.kind === 'impossible' ? look.message : true;
}

function read(schema: JsonSchema, answer: string): unknown {
  const text = answer.trim();
  if (schema.format === 'int64') return text;
  return schema.type === 'integer' || schema.type === 'number' ? Number(text) : text;
}

async function askScalar(prompter: Prompter, name: string, schema: JsonSchema): Promise<unknown> {
  const message = labelOf(name, schema);
  if (schema.type === 'boolean') return prompter.confirm({ message });
  const values = schema.enum?.filter((value) => value !== '' && value !== 'unknown');
  if (values !== undefined && values.length > 0) {
    return prompter.choose({ message, choices: values.map((value) => ({ name: value, value })) });
  }
  return read(schema, await prompter.text({ message, validate: (answer) => validate(schema, answer) }));
}

async function askList(prompter: Prompter, name: string, schema: JsonSchema): Promise<unknown[]> {
  const item = schema.items ?? { type: 'string' };
  const entries: unknown[] = [];
  do {
    const label = `${name} ${entries.length + 1}`;
    entries.push(
      item.properties === undefined
        ? await askScalar(prompter, label, item)
        : await askFields(prompter, item, {}, label),
    );
  } while (await prompter.confirm({ message: say().oneMore({ name: calledOf(name) }), initial: false }));
  return entries;
}

async function askFields(prompter: Prompter, schema: JsonSchema, given: Draft, prefix = ''): Promise<Draft> {
  const filled: Draft = { ...given };
  const required = new Set(schema.required ?? []);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const value = filled[name];
    const label = prefix === '' ? name : `${prefix} ${name}`;
    if (field.properties !== undefined) {
      // An optional part that was started must be completed; one that nobody asked for is skipped.
      if (required.has(name) || isRecord(value)) {
        filled[name] = await askFields(prompter, field, isRecord(value) ? value : {}, label);
      }
    } else if (required.has(name) && isMissing(value)) {
      filled[name] =
        field.type === 'array' ? await askList(prompter, label, field) : await askScalar(prompter, label, field);
    }
  }
  return filled;
}

/** Whether a required field has no value yet. */
export function lacksRequired(schema: JsonSchema, given: Draft): boolean {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).some(([name, field]) => {
    const value = given[name];
    if (required.has(name) && isMissing(value)) return true;
    return field.properties !== undefined && isRecord(value) && lacksRequired(field, value);
  });
}

/** Asks a person for the required fields that have no value, validating each as it is typed; given values are kept. */
export function askMissing(prompter: Prompter, schema: JsonSchema, given: Draft): Promise<Draft> {
  return askFields(prompter, schema, given);
}
