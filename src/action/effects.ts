import type { Operation } from '../contract/operation.ts';
import type { Fields } from '../domain/json/values.ts';
import type { Action } from './action.ts';
import { type ActionEffect, type CommandEffect, type Consequences, commandEffects, type Declared } from './declared.ts';
import type { Ports } from './ports.ts';
import { say } from './texts.ts';

/** What a command does by what its action declares. A call whose operation is not known yet counts by itself. */
const kinds: Readonly<Record<ActionEffect, readonly CommandEffect[]>> = {
  read: ['read'],
  'by-call': ['read'],
  store: ['store'],
  settings: ['store'],
  remove: ['destroy'],
  create: ['write'],
  update: ['write'],
  transition: ['write'],
  // A key is asked for at the service, and saved.
  authorize: ['store', 'write'],
  delete: ['destroy'],
  secret: ['secret'],
  program: ['program'],
};

/** The effects that read-only mode refuses by themselves; other calls are refused as they are made. */
const refused: Readonly<Record<ActionEffect, boolean>> = {
  read: false,
  'by-call': false,
  store: false,
  settings: true,
  remove: true,
  create: true,
  update: true,
  transition: true,
  authorize: true,
  delete: true,
  secret: true,
  program: true,
};

/** Whether read-only mode refuses an action before it begins: at the service, settings, keys, what is stored, a person's word. */
export const isRefusedReadOnly = ({
  effect,
  destructive,
  takesWord,
}: Pick<Declared, 'effect' | 'destructive' | 'takesWord'>): boolean =>
  refused[effect] || destructive === true || takesWord === true;

/**
 * Whether an agent may run an action only by a plan, by everything that it may do. Calls that count by themselves are refused
 * as they are made.
 */
export const isRefusedToAgents = (declared: Declared): boolean => {
  const { effect, mayAlso = [], byPlans } = declared;
  if (isRefusedReadOnly(declared)) return true;
  return effect !== 'by-call' && byPlans !== true && mayAlso.some((one) => graver(one, 'store') > 0);
};

/** Whether a field is given: a switch that is off, and an empty list, are not. */
const isGiven = (value: unknown) =>
  value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);

/** The given field of an input because of which read-only mode refuses an action that it allows without it. */
export const refusedFieldReadOnly = ({ adds = {} }: Pick<Declared, 'adds'>, input: Fields): string | undefined =>
  Object.entries(adds).find(([field, effect]) => refused[effect] && isGiven(input[field]))?.[0];

const ofOperation = ({ effect, destructive, costs }: Operation): readonly CommandEffect[] => [
  ...kinds[effect],
  ...(destructive === true ? (['destroy'] as const) : []),
  ...(costs === true ? (['spend'] as const) : []),
];

const ofAction = ({ effect, destructive, mayAlso = [], adds = {} }: Declared): readonly CommandEffect[] => [
  ...kinds[effect],
  ...(destructive === true ? (['destroy'] as const) : []),
  ...mayAlso,
  ...Object.values(adds).flatMap((more) => kinds[more]),
];

/** Why a change of the service's records cannot be undone, where no command does it. */
const whyNot: Readonly<Partial<Record<ActionEffect, string>>> = {
  read: 'it changes nothing',
  create: 'no command removes what it makes',
  update: 'the former values are not kept',
  transition: 'no command leads back',
  delete: 'what is deleted is gone',
  secret: 'what was shown cannot be hidden again',
};

/** How a command asks before it does something: what it declares, and for what deletes, a question or --yes. */
function confirmOf({ confirm, destructive, needs }: Declared): Consequences['confirm'] {
  if (needs.includes('person')) return 'terminal';
  return confirm ?? (destructive === true ? 'yes' : 'never');
}

function undoOf({ undo, effect }: Declared): Pick<Consequences, 'undo' | 'why_not'> {
  if (typeof undo === 'string') return { undo, why_not: null };
  return { undo: null, why_not: undo?.whyNot ?? whyNot[effect] ?? 'it is not known what it changed' };
}

const graver = (one: CommandEffect, other: CommandEffect) =>
  commandEffects.indexOf(one) - commandEffects.indexOf(other);

/** What a command does: of the actions that share its words, all that they and the operations that they call may do. */
export function consequencesOf(actions: readonly Declared[], operations: readonly Operation[]): Consequences {
  const [first] = actions;
  if (first === undefined) throw new TypeError('a command without an action');
  const all = [...new Set([...actions.flatMap(ofAction), ...operations.flatMap(ofOperation)])].sort(graver);
  const changes = all.filter((one) => one !== 'read');
  return {
    effect: all.at(-1) ?? 'read',
    effects: changes.length === 0 ? all : changes,
    ...undoOf(first),
    confirm: confirmOf(first),
  };
}

/** Says in a dry run what is removed, and what will happen, as the question would; throws what refuses it. */
export async function tellRemoval({ subject }: Pick<Action, 'subject'>, input: Fields, ports: Ports): Promise<void> {
  const { called, effect } = (await subject?.({ ...input }, ports)) ?? {};
  const text = called === undefined || effect === undefined ? (called ?? effect) : say().looked({ called, effect });
  if (text !== undefined) ports.report.notice(text);
}

/** The question before an action that removes something: what it is, what was given, and what will happen. */
export async function removalQuestion(
  { words, summary, subject }: Pick<Action, 'words' | 'summary' | 'subject'>,
  input: Fields,
  ports: Ports,
): Promise<string> {
  const { called, effect } = (await subject?.({ ...input }, ports)) ?? {};
  const given = Object.entries(input).filter(([, value]) => value !== undefined && value !== null);
  return say().removal({
    does: say().removals[words.join(' ')] ?? summary,
    called,
    given: given.map(([name, value]) => `${name} ${String(value)}`),
    effect,
  });
}
