import type { Action } from '../../actions/action.ts';
import type { Facts, Refusal } from '../../actions/refusal.ts';
import type { Flag } from '../command.ts';
import { ConfigurationError, PolicyError, UsageError } from '../usage-error.ts';

/** A field as a person gives it: by its flag, or by its place. */
type Spell = (path: string) => string;

/** What a refusal reads like on a command line, and what to do about it; absent is what the refusal says itself. */
interface Wording {
  readonly message?: (facts: Facts, spell: Spell) => string;
  readonly hint?: (facts: Facts, spell: Spell) => string;
}

const fieldsOf = ({ fields }: Facts) => (Array.isArray(fields) ? fields.map(String) : []);

/** What to say to a refusal, by its code. */
const wordings: Readonly<Record<string, Wording>> = {
  both_given: { message: (facts, spell) => `${fieldsOf(facts).map(spell).join(' and ')} cannot be given together` },
};

function spelling({ hints }: Action, flags: readonly Flag[]): Spell {
  return (path) => {
    const flag = flags.find((candidate) => candidate.path?.join('.') === path);
    return flag === undefined ? (hints?.[path]?.placeholder?.toLowerCase() ?? path) : `--${flag.name}`;
  };
}

/** A refusal of an action in the words of the command line: fields are flags, and a hint says what to type. */
export function inWords(refusal: Refusal, action: Action, flags: readonly Flag[]): Error {
  const { kind, code, facts, fieldErrors } = refusal;
  const spell = spelling(action, flags);
  const wording = Object.hasOwn(wordings, code) ? wordings[code] : undefined;
  const told =
    code === 'invalid_input'
      ? fieldErrors.map(({ path, message }) => `${spell(path)} ${message}`).join('; ')
      : undefined;
  const message = wording?.message?.(facts, spell) ?? told ?? refusal.message;
  const hint = wording?.hint?.(facts, spell);
  if (kind === 'configuration') return new ConfigurationError(message, hint);
  if (kind === 'policy') return new PolicyError(code, message, hint);
  return new UsageError(message, { fieldErrors, hint });
}
