import type { Action } from '../../action/action.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Invocation } from '../flags/command.ts';
import { canAsk } from '../session/interaction.ts';

/** Thrown when a person answered no to a confirmation; nothing was sent. */
function declined(): UsageError {
  return new UsageError('not confirmed, nothing was sent', { usage: '' });
}

/** Asks before something is deleted; without a terminal `--yes` is required. */
export async function confirmDestructive(
  invocation: Invocation,
  action: Pick<Action, 'words' | 'summary'>,
  input: object,
  about: {
    readonly subject: () => Promise<string | undefined> | undefined;
    readonly caution: () => Promise<string | undefined> | undefined;
  },
): Promise<void> {
  const { context, session } = invocation;
  if (session.globals.yes === true) return;
  if (!canAsk(context, session)) {
    throw new UsageError(`${action.words.join(' ')} removes something: it needs --yes in a script`);
  }
  const values = Object.entries(input).filter(([, value]) => value !== undefined && value !== null);
  const named = values.map(([name, value]) => `${name} ${String(value)}`).join(', ');
  const subject = await about.subject();
  const sure = await context.prompter.confirm({
    message: `${action.summary}${subject === undefined ? '' : `: ${subject}`}${named === '' ? '' : ` (${named})`} — are you sure?`,
    initial: false,
  });
  if (!sure) throw declined();
  const told = await about.caution();
  if (told === undefined) return;
  if (!(await context.prompter.confirm({ message: `${told}. Do it anyway?`, initial: false }))) throw declined();
}
