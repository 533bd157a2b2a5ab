import type { Context } from '../context.ts';
import { isOn } from '../line/globals.ts';
import { formatOf } from '../print/formats.ts';
import type { Session } from './session.ts';

/** Whether questions may be asked: stdin and stderr are terminals, and no flag or variable forbids it. */
export function canAsk(context: Context, session: Session): boolean {
  return (
    context.stdin.isTerminal &&
    context.stderr.isTerminal &&
    !session.settings.noInput.value &&
    !isOn(context.env.CI) &&
    context.env.TERM !== 'dumb' &&
    formatOf(session.settings.output.value).forPeople === true
  );
}
