import type { ActionData, Catalogue } from './wire.ts';

/** How the actions of a group make its screen. */
export interface Screen {
  /** Lists that need nothing to be given: the first is the screen's table. */
  readonly lists: readonly ActionData[];
  /** Shows one record. */
  readonly record: ActionData | undefined;
  /** Shows one of a few things. */
  readonly choices: readonly ActionData[];
  /** Shows something without being given anything; also what other groups show here. */
  readonly sheets: readonly ActionData[];
  /** Everything else that is not about one record. */
  readonly others: readonly ActionData[];
  /** Everything about one record, by the field that identifies it. */
  about(field: string): readonly ActionData[];
}

const needsOnly = ({ required }: ActionData, given: readonly string[]) =>
  required.every((name) => given.includes(name));

/** Whether an action is about the rows of a list: their commands begin alike, as `faults clear` and `faults list`. */
export function isBeside({ words: own }: ActionData, { words }: ActionData): boolean {
  const place = own.slice(0, -1).join(' ');
  return place === words.join(' ') || place === words.slice(0, -1).join(' ');
}

/** The screen of a group, from nothing but what its actions declare. */
export function screenOf({ actions }: Catalogue, group: string): Screen {
  const own = actions.filter((action) => action.group === group);
  const record = own.find(
    ({ reads, shape, positional: [field, ...others], words, required, uploads }) =>
      reads &&
      shape === 'record' &&
      field !== undefined &&
      others.length === 0 &&
      !uploads.includes(field) &&
      words.length === 1 &&
      required.length <= 1,
  );
  const identifying = record?.positional[0];
  // What may be asked of one record is of that one, even if without it the newest is meant.
  const lists = own.filter(
    (action) =>
      action.reads &&
      action.shape === 'list' &&
      needsOnly(action, []) &&
      (identifying === undefined || action.positional[0] !== identifying),
  );
  const sheets = own.filter(
    (action) =>
      action.reads &&
      action.shape !== 'list' &&
      action !== record &&
      needsOnly(action, []) &&
      (action.positional.length === 0 || action.words.length === 0),
  );
  const choices = own.filter(({ choice }) => choice !== undefined);
  const known = new Set([...lists, ...sheets, ...choices, record]);
  const rest = own.filter((action) => !known.has(action));
  const isAbout = ({ positional: [first] }: ActionData, field: string) => first === field;
  return {
    lists,
    record,
    choices,
    sheets: [...sheets, ...actions.filter(({ beside }) => beside === group)],
    others: rest.filter((action) => identifying === undefined || !isAbout(action, identifying)),
    about: (field) => rest.filter((action) => isAbout(action, field)),
  };
}

/** The actions that list what happened to any record. */
export const aboutAnything = ({ actions }: Catalogue) =>
  actions.flatMap((action) =>
    action.about === undefined ? [] : [{ action, field: action.about, given: action.aboutWith ?? {} }],
  );
