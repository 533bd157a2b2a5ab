import { expect } from 'vitest';
import { type Action, silence } from '../../../src/action/action.ts';
import { type JsonSchema, jsonSchema } from '../../../src/contract/schema/json-schema.ts';
import { structureOf } from '../../../src/contract/schema/structure.ts';
import { valueAt } from '../../../src/domain/json/values.ts';
import type { Ended, RunOptions, TestMachine } from '../../support/context.ts';
import { withWords } from '../../support/example-words.ts';
import { changedBetween, storedFiles } from '../../support/stored-files.ts';
import { commandIn, viewOf } from './commands.ts';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** All that a path leads to, in lists as well. */
function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path));
  const [name, ...rest] = path;
  if (name === undefined) return [value];
  return isRecord(value) && value[name] !== undefined ? valuesAt(value[name], rest) : [];
}

/** Whether the declared fields lead along a path; where a record declares none, any name does. */
function isDeclared(schema: JsonSchema, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  if (schema.items !== undefined) return isDeclared(schema.items, path);
  const { properties = {} } = schema;
  const field = properties[name] ?? schema.additionalProperties;
  return field === undefined ? Object.keys(properties).length === 0 : isDeclared(field, rest);
}

/** Every column leads to a declared field, and the table has those that say something of these values. */
function expectColumns(action: Action, values: readonly unknown[], table: string): void {
  const view = viewOf(action);
  if (view.columns.length === 0) {
    expect(table).not.toBe('');
    return;
  }
  if (view.text !== undefined) {
    expect(table).toContain(String(valueAt(values[0], view.text)));
    return;
  }
  const schema = jsonSchema(action.output);
  const record = view.list === undefined ? schema : schema.properties?.[view.list];
  const rows = view.list === undefined ? values : values.flatMap((value) => valueAt(value, `${view.list}`));
  const telling = view.columns.filter(({ path }) => valuesAt(rows, path.split('.')).some((value) => value !== null));
  expect(telling).not.toEqual([]);
  for (const { path } of view.columns) {
    expect([path, record !== undefined && isDeclared(record, path.split('.'))]).toEqual([path, true]);
  }
  if (view.columns.length === 1) return;
  for (const { path, header } of telling) expect(table.toLowerCase()).toContain((header ?? path).toLowerCase());
}

// What a test expects of a result says the test itself.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Value = any;

/** Runs commands of ours, and looks at what they print. */
export interface Judge {
  /** Runs a command of ours and gives its value: what its output declares, in JSON, and all of it. */
  see(words: readonly string[], options?: RunOptions & { readonly exit?: number }): Promise<Value>;
  /** The same for a command that only looks: as a table it has every column. */
  look(words: readonly string[], options?: RunOptions & { readonly exit?: number }): Promise<Value>;
  /** Runs a command whose output is nothing. */
  hear(words: readonly string[], options?: RunOptions): Promise<Ended>;
}

/** A judge of the commands that run on a machine; `judged` is told of each. */
export function judgeOn(machine: TestMachine, judged: Set<string>): Judge {
  const see: Judge['see'] = async (words, { exit = 0, ...options } = {}) => {
    const { name, actions } = commandIn(words);
    const isRead = actions.every(({ effect, mayAlso = [] }) => effect === 'read' && mayAlso.length === 0);
    const before = isRead ? await storedFiles(machine.directory) : {};
    const ended = await machine.run(withWords(words, ['-o', 'json', '--yes']), options);
    // What reads changes nothing that is stored, where it has something to tell.
    if (isRead) expect([words, changedBetween(before, await storedFiles(machine.directory))]).toEqual([words, []]);
    expect([words, ended.exit, ended.stderr]).toEqual([words, exit, ended.stderr]);
    const value = JSON.parse(ended.stdout);
    const [action] = actions;
    expect(action?.output).not.toBe(silence);
    // What is printed is what is declared: a field that is not declared is lost here.
    if (action !== undefined) {
      // A file of one record is answered with one.
      const isList = structureOf(action.output).kind === 'list';
      const declared = isList && !Array.isArray(value) ? [value] : value;
      expect(action.output.parse(declared)).toEqual(declared);
    }
    judged.add(name);
    return value;
  };
  return {
    see,
    async look(words, options) {
      const value = await see(words, options);
      const { actions } = commandIn(words);
      const table = await machine.run(withWords(words, ['-o', 'table', '--yes']), options);
      expect([words, table.exit]).toEqual([words, options?.exit ?? 0]);
      const [action] = actions;
      const values = Array.isArray(value) ? value : [value];
      expect(values.length, `${words.join(' ')} has nothing to show`).toBeGreaterThan(0);
      if (action !== undefined) expectColumns(action, values, table.stdout);
      return value;
    },
    async hear(words, options) {
      const { name } = commandIn(words);
      const ended = await machine.run(words, options);
      expect([words, ended.exit, ended.stdout]).toEqual([words, 0, '']);
      judged.add(name);
      return ended;
    },
  };
}

/** The lines of a command that goes on, until there is one; then it is ended. */
export async function rowsOf(
  machine: TestMachine,
  words: readonly string[],
  ending: AbortController,
  judged: Set<string>,
) {
  const onStdout = () => ending.abort('SIGINT');
  const { exit, stdout } = await machine.run([...words, '-o', 'json'], { signal: ending.signal, onStdout });
  expect(exit).toBe(0);
  judged.add(commandIn(words).name);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
