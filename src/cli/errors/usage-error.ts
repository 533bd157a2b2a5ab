import type { FieldError } from '../../contract/operation.ts';
import { say } from './texts.ts';

/** The command was not used correctly; nothing was sent. `usage` is the short usage printed below the message. */
export class UsageError extends Error {
  readonly kind = 'usage';
  readonly fieldErrors: readonly FieldError[];
  readonly hint?: string;
  /** Absent until it is set, and empty if the line was correct and somebody declined. */
  usage?: string;

  constructor(
    message: string,
    facts: { hint?: string | undefined; fieldErrors?: readonly FieldError[]; usage?: string } = {},
  ) {
    super(message);
    if (facts.usage !== undefined) this.usage = facts.usage;
    this.name = 'UsageError';
    this.fieldErrors = facts.fieldErrors ?? [];
    if (facts.hint !== undefined) this.hint = facts.hint;
  }
}

/** A sandbox that is not running was asked for something. */
export class SandboxNotRunningError extends Error {
  readonly kind = 'missing';
  readonly code = 'sandbox_not_running';
  readonly hint: string;

  constructor(name: string | undefined, hint: string) {
    super(name === undefined ? say().noSandbox : say().noSandboxNamed({ name: JSON.stringify(name) }));
    this.name = 'SandboxNotRunningError';
    this.hint = hint;
  }
}

/** The settings in force cannot be used: no service is named, a value is invalid, the file is damaged. */
export class ConfigurationError extends Error {
  readonly kind = 'configuration';
  readonly hint?: string;
  /** What cannot be used, where that says how it ends. */
  readonly code?: string;

  constructor(message: string, hint?: string, code?: string) {
    super(message);
    this.name = 'ConfigurationError';
    if (hint !== undefined) this.hint = hint;
    if (code !== undefined) this.code = code;
  }
}

/** Something of ours is at work already, or another program holds the port; nothing was done. */
export class BusyError extends Error {
  readonly kind = 'conflict';
  readonly code: 'port_taken' | 'already_running' | 'data_in_use';
  readonly outcome = 'not_applied';
  readonly hint: string;

  constructor(code: BusyError['code'], message: string, hint: string) {
    super(message);
    this.name = 'BusyError';
    this.code = code;
    this.hint = hint;
  }
}

/** That another program holds a port. */
export const portTaken = (port: number): BusyError =>
  new BusyError('port_taken', say().portTaken({ port }), say().otherPort);

/** That another sandbox has the data of one open. */
export const dataInUse = (path: string): BusyError =>
  new BusyError('data_in_use', say().sandbox.dataInUse({ path }), say().sandbox.otherData);

/** One of the user's own policies refused the call before it was sent: read-only, a price guard. */
export class PolicyError extends Error {
  readonly kind = 'policy';
  readonly code: string;
  readonly hint?: string;
  /** Machine-readable facts. */
  readonly meta: Readonly<Record<string, string>>;

  constructor(code: string, message: string, hint?: string, meta: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'PolicyError';
    this.meta = meta;
    this.code = code;
    if (hint !== undefined) this.hint = hint;
  }
}

/** What holds read-only mode, and how it is lifted. */
function liftedBy(origin: string): string {
  const { flag, environment, locked, profile } = say().readOnly;
  const ways: Readonly<Record<string, string>> = { flag, environment, locked };
  return ways[origin] ?? profile;
}

/** A write in read-only mode; `what` is an operation, or what a command does with several. */
export class ReadOnlyError extends PolicyError {
  readonly operation?: string;

  constructor(what: string, origin: string) {
    super('read_only', say().readOnly.writes({ what, origin }), liftedBy(origin));
    this.name = 'ReadOnlyError';
    if (what.includes('/')) this.operation = what;
  }
}

/**
 * What is named is not stored here, or is in a state in which it cannot be done; or a key that the service does not accept, or a service that does not respond as one, where nothing was to be changed.
 */
export class ServiceUnfitError extends Error {
  readonly kind: 'missing' | 'conflict' | 'credential' | 'network' | 'contract';
  readonly code: string;
  readonly outcome = 'not_applied';
  readonly hint?: string;

  constructor(kind: ServiceUnfitError['kind'], code: string, message: string, hint?: string) {
    super(message);
    this.name = 'ServiceUnfitError';
    this.kind = kind;
    this.code = code;
    if (hint !== undefined) this.hint = hint;
  }
}
