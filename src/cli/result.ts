import { viewOf } from '../actions/operations/views.ts';
import type { Operation } from '../contract/operation.ts';
import type { Result } from './command.ts';

interface Problem {
  readonly code?: string | null;
  readonly msg?: string | null;
}

/** The problems of single shipments that an answer reports; an entry with code ok is none (decisions, section 6). */
function problemsOf(answer: unknown): Problem[] {
  const errors = (answer as { fulfillment_errors?: Problem[] | null } | null)?.fulfillment_errors;
  return (errors ?? []).filter(({ code }) => code !== undefined && code !== null && code !== '' && code !== 'ok');
}

/** Where an answer says nothing, a person is told that it was done; and what it is not, where it may be taken for more. */
function doneNotice({ command, effect, response, tells }: Operation, answer: unknown): string[] {
  const told = tells?.(answer, {});
  if (told !== undefined) return [told];
  return effect === 'read' || Object.keys(response.shape).length > 0 ? [] : [`done: ${command}`];
}

/** An answer as a result: its record, and exit 9 when a part of it failed. */
export function resultOf(operation: Operation, answer: unknown, notices: readonly string[] = []): Result {
  const document = { kind: 'record', value: answer, view: viewOf(operation) } as const;
  const applied = operation.effect !== 'read';
  const problems = problemsOf(answer);
  if (problems.length === 0) return { document, notices: [...notices, ...doneNotice(operation, answer)], applied };
  const told = problems.map(({ code, msg }) => `a shipment reports ${code}: ${msg ?? ''}`);
  return { document, notices: [...notices, ...told], exit: 'partial', applied };
}
