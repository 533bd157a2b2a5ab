import { type FaultAction, parseAction } from './action.ts';
import { type OperationPattern, parsePattern } from './operation-pattern.ts';
import { type FaultTurn, parseTurn, type TurnFlags } from './turn.ts';

/** A scripted fault: which calls of which operations it applies to, and what it does to them. */
export interface Fault {
  readonly operation: OperationPattern;
  readonly turn: FaultTurn;
  readonly action: FaultAction;
}

/** A fault as written on the command line. */
export interface FaultFlags extends TurnFlags {
  /** An operation's id, `<family>.<Area>/*` or `*`. */
  readonly operation: string;
  /** The action, for example `status=503,retry-after=2`. */
  readonly do: string;
}

/** Parses a fault; throws a Refusal (400) with the invalid flag in `meta.field`. */
export async function parseFault(flags: FaultFlags): Promise<Fault> {
  return { operation: await parsePattern(flags.operation), turn: parseTurn(flags), action: parseAction(flags.do) };
}
