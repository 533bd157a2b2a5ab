import * as z from 'zod';
import { flag, int, list, text } from '../../contract/schema/scalars.ts';
import type { Frozen } from './frozen.ts';

const offers = z.optional(text('What can be offered to somebody who types it'));
const values = z.optional(list(text('A value'), 'The values that it takes, where they are few'));

/** A command, as data. */
export const commandRecord = z.object({
  command: text('The whole command'),
  group: text('Its first word'),
  summary: text('What it does, in one line'),
  description: z.optional(text('What else there is to know')),
  arguments: list(
    z.object({
      name: text('What the help calls it'),
      description: text('What it is'),
      required: flag('Whether it must be given'),
      variadic: z.optional(flag('Whether it repeats')),
      values,
      offers,
    }),
    'What is given by its place',
  ),
  flags: list(
    z.object({
      name: text('Without the dashes'),
      short: z.optional(text('Its short form')),
      type: text('What its value is read as'),
      placeholder: text('What stands for its value; empty for a switch'),
      description: text('What it does'),
      required: flag('Whether it must be given'),
      field: z.optional(text('Path of the field that it gives')),
      values,
      offers,
    }),
    'Its flags',
  ),
  operations: list(
    z.object({
      id: text('Id of the operation'),
      effect: text('What a call does'),
      credential: text('The kind of key that it needs'),
      positional: z.optional(text('The field that is given by its place')),
      partial: flag('Whether a part of it can fail'),
    }),
    'The operations of the service that it calls',
  ),
  examples: list(text('A command line'), 'How it is typed'),
});

/** All commands with their groups, as data. */
export const treeRecord = z.object({
  groups: list(
    z.object({ name: text('Its word'), summary: text('What is in it'), section: text('Where the help lists it') }),
    'The groups',
  ),
  commands: list(commandRecord, 'The commands'),
  global_flags: list(
    z.object({
      name: text('Without the dashes'),
      short: z.optional(text('Its short form')),
      value: z.optional(text('What stands for its value')),
      description: text('What it does'),
      env: z.optional(text('The variable that says the same')),
      optionalValue: z.optional(flag('Whether it may stand without its value')),
      values,
      offers,
    }),
    'The flags that every command takes',
  ),
  exit_codes: list(
    z.object({ code: int('The exit code', 'exit code'), meaning: text('What it means') }),
    'The exit codes',
  ),
});

/** A command, as returned by `commands`. */
export type CommandRecord = Frozen<z.output<typeof commandRecord>>;

/** The result of `commands --tree`. */
export type TreeRecord = Frozen<z.output<typeof treeRecord>>;
