import type { Action } from '../../action/action.ts';
import type { Command, Flag, Invocation } from '../flags/command.ts';
import { argumentsOf, flagsOfActions } from '../flags/fields.ts';
import { runAction } from '../run/run-action.ts';

/** Selects one of a command's actions by the kind in force; the first if none is of that family. */
export function chosen(actions: readonly [Action, ...Action[]], { session }: Pick<Invocation, 'session'>): Action {
  const family = session.settings.as?.value ?? 'partner';
  return actions.find(({ id }) => id.startsWith(`${family}.`)) ?? actions[0];
}

function commandOf(actions: readonly [Action, ...Action[]]): Command {
  const [first] = actions;
  let flags: readonly Flag[] | undefined;
  return {
    words: first.words.slice(1),
    summary: first.summary,
    ...(first.description === undefined ? {} : { description: first.description }),
    examples: [...new Set(actions.flatMap(({ examples }) => examples))],
    arguments: argumentsOf(first),
    flags: () => {
      flags ??= flagsOfActions(actions);
      return flags;
    },
    actions,
    diagnoses: first.diagnoses === true,
    operations: actions.flatMap(({ operations = [] }) => operations),
    run: (invocation) => runAction(chosen(actions, invocation), invocation),
  };
}

/** Groups actions into commands; actions with the same words form one command, which selects by the kind in force. */
export function commandsOf(actions: readonly Action[]): Command[] {
  const homes = new Map<string, [Action, ...Action[]]>();
  for (const action of actions) {
    const home = action.words.join(' ');
    const sharers = homes.get(home);
    if (sharers === undefined) homes.set(home, [action]);
    else sharers.push(action);
  }
  return [...homes.values()].map(commandOf);
}
