import type { Action } from '../../action/action.ts';
import type { Hint } from '../../contract/schema/hint.ts';
import { type JsonSchema, jsonSchema } from '../../contract/schema/json-schema.ts';
import { structureOf } from '../../contract/schema/structure.ts';
import { allSettings } from '../../settings/in-force.ts';
import type { Argument, Flag } from './command.ts';
import { fieldFlags, kebab, skeletonFlags } from './skeleton.ts';

/** Request fields with the same name as a global flag; they can be given only with `--input`. */
const reserved = new Set(['fields', 'shop', 'output', 'query']);

/** The flags of every action that takes a whole input. */
export const wholeFlags: readonly Flag[] = [
  {
    name: 'input',
    type: 'string',
    placeholder: 'FILE',
    description: 'take the request from a JSON or YAML file, - for stdin; flags override it',
  },
  ...skeletonFlags,
];

/** The format of a file of records whose name does not indicate it. */
export const csvFlag: Flag = {
  name: 'csv',
  type: 'boolean',
  description: 'read stdin as csv',
};

/** Whether an action returns a finite list of records. */
export function listsRecords({ output, live }: Action): boolean {
  return live !== true && structureOf(output).kind === 'list';
}

/** The flag that writes a list to a file. */
export const toFlag: Flag = {
  name: 'to',
  type: 'string',
  placeholder: 'FILE',
  verbatim: true,
  description: 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it',
};

function hinted(flag: Flag, hint: Hint): Flag {
  const { placeholder, short, values, flag: name, optionalValue, offers, isStyle, from = 'text' } = hint;
  return {
    ...flag,
    ...(from === 'text' ? {} : { verbatim: true }),
    ...(from === 'stdin' ? { type: 'boolean' as const } : {}),
    ...(['rows', 'document', 'value'].includes(from) ? { type: 'string' as const } : {}),
    ...(name === undefined ? {} : { name }),
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(short === undefined ? {} : { short }),
    ...(values === undefined ? {} : { values }),
    ...(optionalValue === undefined ? {} : { optionalValue }),
    ...(offers === undefined ? {} : { offers }),
    ...(isStyle === undefined ? {} : { isStyle }),
  };
}

function flagsOfField(
  name: string,
  schema: JsonSchema,
  required: boolean,
  hints: Readonly<Record<string, Hint | undefined>> = {},
): Flag[] {
  const hint = hints[name] ?? {};
  const within = { type: 'object', properties: { [name]: schema }, required: required ? [name] : [] } as const;
  const [own, ...inner] = fieldFlags(within);
  if (own === undefined) return [];
  if (hint.inline !== true) return [hinted(own, hint), ...inner];
  return inner.map((flag) =>
    hinted({ ...flag, name: flag.name.slice(own.name.length + 1) }, hints[flag.path?.join('.') ?? ''] ?? {}),
  );
}

/** The flags of an action's fields, in schema order; purely positional fields are left out. */
export function flagsOfAction({ input, hints, positional = [] }: Action): Flag[] {
  const schema = jsonSchema(input);
  const required = new Set(schema.required ?? []);
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const hint = hints?.[name] ?? {};
    if (hint.hidden === true || (positional.includes(name) && hint.named !== true)) return [];
    return flagsOfField(name, field, required.has(name), hints);
  });
  const isRead = positional.some((name) => hints?.[name]?.from === 'rows');
  return isRead ? [...own, csvFlag] : own;
}

/** The flags of all actions of a command, without duplicates, in the first action's order. */
export function flagsOfActions(actions: readonly Action[]): Flag[] {
  const flags = new Map<string, Flag>();
  for (const flag of actions.flatMap(flagsOfAction)) {
    if (!flags.has(flag.name) && !reserved.has(flag.name)) flags.set(flag.name, flag);
  }
  const lists = actions.some(listsRecords) && !flags.has(toFlag.name);
  return [...flags.values(), ...(lists ? [toFlag] : []), ...(actions[0]?.whole === true ? wholeFlags : [])];
}

/** The global flags of settings that supply fields of actions. */
export function flagsOfSettings(actions: readonly Action[]): Flag[] {
  return actions.flatMap(({ hints = {} }) =>
    Object.entries(hints).flatMap(([field, hint]): Flag[] => {
      const [, setting] = allSettings.find(([key]) => key === hint?.setting) ?? [];
      if (setting?.flag === undefined) return [];
      return [{ name: setting.flag.name, path: [field], type: 'string', description: setting.description }];
    }),
  );
}

/** A positional field as a flag, which says how its text is parsed. */
export function positionalFlag({ input, hints }: Action, name: string): Flag {
  const field = jsonSchema(input).properties?.[name] ?? { type: 'string' };
  const [flag] = flagsOfField(name, field, false, hints);
  return flag ?? { name: kebab(name), type: 'string', description: '', path: [name] };
}

/** The positional arguments of an action; one that also has a flag is optional. */
export function argumentsOf(action: Action): Argument[] {
  const { input, positional = [], hints, suggests } = action;
  return positional.map((name) => {
    const hint = hints?.[name] ?? {};
    const field = () => jsonSchema(input).properties?.[name];
    const isRequired = hint.named !== true && (jsonSchema(input).required ?? []).includes(name);
    return {
      name: hint.placeholder?.toLowerCase() ?? name,
      required: isRequired,
      ...(isRequired && suggests !== undefined ? { isSuggested: true as const } : {}),
      ...(hint.named !== true && hint.from !== 'rows' && field()?.type === 'array' ? { variadic: true } : {}),
      ...(hint.values === undefined ? {} : { values: hint.values }),
      ...(hint.offers === undefined ? {} : { offers: hint.offers }),
      get description() {
        return field()?.description ?? '';
      },
    };
  });
}
