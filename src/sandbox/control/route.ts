import type { Control } from '../parts.ts';
import { invalid } from '../refusal.ts';

/** What a control route can reach. */
export interface ControlContext {
  readonly control: Control;
  /** Facts about the running server. */
  readonly server: { readonly baseUrl: string; readonly startedAt: string };
  /** Asks the process that runs the server to end it, once the answer is on its way. */
  requestStop(): void;
}

/** One request of the control plane, below `/_sandbox/`. What it answers goes out as JSON. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST';
  /** Below the control url, for example `sign-in`. */
  readonly path: string;
  /** `input` is the JSON object of the body; {} for a GET. Throws a Refusal to answer with an error. */
  handle(context: ControlContext, input: Readonly<Record<string, unknown>>): unknown;
}

/** A text of a control request; refused with 400 when it is missing or empty. */
export function textOf(input: Readonly<Record<string, unknown>>, name: string): string {
  const value = input[name];
  if (typeof value === 'string' && value !== '') return value;
  throw invalid(name, 'is missing');
}

/** A text of a control request, undefined where it is absent; refused with 400 when it is something else or empty. */
export function optionalTextOf(input: Readonly<Record<string, unknown>>, name: string): string | undefined {
  return input[name] === undefined ? undefined : textOf(input, name);
}

/** A number of a control request, undefined where it is absent; refused with 400 when it is something else. */
export function numberOf(input: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const value = input[name];
  if (value === undefined || typeof value === 'number') return value;
  throw invalid(name, 'must be a number');
}

/** A yes or no of a control request, no where it is absent; refused with 400 when it is something else. */
export function flagOf(input: Readonly<Record<string, unknown>>, name: string): boolean {
  const value = input[name] ?? false;
  if (typeof value === 'boolean') return value;
  throw invalid(name, 'must be true or false');
}
