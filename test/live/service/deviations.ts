import type { WireRequest } from '../../../src/platform/http/transport.ts';
import type { Fields } from './values.ts';

/** An answer before it is written. */
export interface Plain {
  readonly status: number;
  readonly body: unknown;
  /** The text of the body, where it is not the JSON of it. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How a list is bent. */
interface BentList {
  readonly skips?: number;
  readonly ignoresLimit?: boolean;
  readonly ignoresBefore?: boolean;
  readonly ignoresSort?: boolean;
  readonly ignoresFilter?: boolean;
  readonly showsDeleted?: boolean;
  readonly exchanges?: boolean;
}

/** One place in which a service differs from its interface. */
export interface Deviation {
  readonly answer?: (given: Plain & { readonly operation: string; readonly request: WireRequest }) => Plain | undefined;
  readonly list?: (operation: string) => BentList | undefined;
  readonly update?: (input: Fields) => Fields;
  /** Whether what an operation deletes stays. */
  readonly keeps?: (operation: string) => boolean;
  /** Whether what an operation creates is not kept. */
  readonly loses?: (operation: string) => boolean;
  readonly takesTotals?: boolean;
  readonly takesDuplicates?: boolean;
}

/** A service that differs nowhere. */
export const faithful: Deviation = {};
