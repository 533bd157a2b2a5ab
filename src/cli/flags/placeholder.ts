import type { Flag } from './command.ts';

const ofType: Readonly<Record<Flag['type'], string>> = {
  string: 'TEXT',
  id: 'ID',
  ids: 'ID,...',
  integer: 'N',
  number: 'NUMBER',
  boolean: '',
  list: 'VALUE',
  map: 'KEY=VALUE',
  object: 'JSON',
  objects: 'KEY=VALUE,...',
};

/** The placeholder of a flag's value in help and reference; empty for a switch. */
export function placeholderOf({ placeholder, type }: Pick<Flag, 'placeholder' | 'type'>): string {
  return placeholder ?? ofType[type];
}
