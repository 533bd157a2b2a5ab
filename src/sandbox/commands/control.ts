import * as z from 'zod';
import type { Action } from '../../action/action.ts';
import { invalidInput } from '../../client/refusal.ts';
import type { ControlOperation } from '../../contract/control/operation.ts';
import * as operations from '../../contract/control/operations.ts';
import { type Fields, fieldsIn } from '../../domain/json/values.ts';
import { sandboxField, sandboxHint } from './name.ts';

type Values = Fields;

/** A refusal by the sandbox that concerns a field of the input is one of the input; any other is returned unchanged. */
export function asInputError(error: unknown, { input }: Pick<ControlOperation, 'input'>): unknown {
  const { code, message, meta } = fieldsIn(error);
  const { field } = fieldsIn(meta);
  if (code !== 'invalid_argument' || typeof message !== 'string' || typeof field !== 'string') return error;
  if (!Object.hasOwn(input.shape, field)) return error;
  return invalidInput([
    { path: field, message: message.startsWith(`${field} `) ? message.slice(field.length + 1) : message },
  ]);
}

/** A control operation as an action: returns its output, or the list in it. */
function actionOf(operation: ControlOperation): Action {
  const { command, summary, description, examples, method, path, output, items, view, positional, hints } = operation;
  const { destructive, rules, single, page, undo, isSecret } = operation;
  const [group = '', ...words] = command.split(' ');
  const isRead = method === 'GET' || items !== undefined;
  const list = items === undefined ? undefined : output.shape[items];
  return {
    id: command.replaceAll(' ', '.'),
    words: [group, ...words],
    summary,
    ...(description === undefined ? {} : { description }),
    examples,
    input: z.object({ ...operation.input.shape, ...sandboxField }),
    output: list instanceof z.ZodType ? list : output,
    effect: isSecret === true ? 'secret' : isRead ? 'read' : 'update',
    ...(isRead ? {} : { undo: undo ?? { whyNot: 'the sandbox keeps the state before only in a snapshot' } }),
    needs: ['sandbox'],
    ...(page === undefined ? {} : { page: page === true ? 'allowed' : page }),
    ...(destructive === undefined ? {} : { destructive }),
    ...(view === undefined ? {} : { view }),
    ...(single === undefined ? {} : { view: (input) => (single.isNamed(input) ? single.view : (view ?? single.view)) }),
    ...(positional === undefined ? {} : { positional }),
    hints: { ...hints, ...sandboxHint },
    async run({ sandbox, ...input }, { intend, report, sandboxes }) {
      const wrong = rules?.(input) ?? [];
      if (wrong.length > 0) throw invalidInput(wrong);
      if (method === 'POST') intend({ method, path, body: input });
      const name = typeof sandbox === 'string' ? sandbox : undefined;
      const caller = await sandboxes.control(name);
      const answer: Values = await caller.call(operation, input).catch((error: unknown) => {
        throw asInputError(error, operation);
      });
      const reported = operation.tells?.(answer);
      if (reported !== undefined) report.notice(reported);
      if (caller.others && name === undefined) report.notice(`in the sandbox ${caller.name}`);
      const result = items === undefined ? answer : answer[items];
      return single?.isNamed(input) === true && Array.isArray(result) ? result[0] : result;
    },
  };
}

/** Their order in the help. */
const reported: readonly ControlOperation[] = [
  operations.credentials,
  operations.signIn,
  operations.unlink,
  operations.advance,
  operations.clockStatus,
  operations.freezeClock,
  operations.setClock,
  operations.advanceClock,
  operations.runClock,
  operations.addFault,
  operations.listFaults,
  operations.clearFaults,
  operations.deliveries,
  operations.redeliver,
  operations.saveSnapshot,
  operations.restoreSnapshot,
  operations.listSnapshots,
  operations.removeSnapshot,
  operations.reset,
];

/** The control commands of a running sandbox. */
export const controlActions: readonly Action[] = reported.map(actionOf);
