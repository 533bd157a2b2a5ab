import type { WireRequest, WireResponse } from '../platform/transport.ts';

/** Stands around every request, for example to log it or to break its answer. */
export type Layer = (
  request: WireRequest,
  next: (request: WireRequest) => Promise<WireResponse>,
) => Promise<WireResponse>;

/** One part of the sandbox beside the operations: what it can be told to do, and what it does by itself. */
export interface Part<Control extends object> {
  /** Its functions in `sandbox.control`. */
  readonly control: Control;
  readonly layer?: Layer;
  /** Ends whatever merely waits, such as a delayed answer, so that what is in flight can finish. */
  interrupt?(): void;
  /** Ends what it does in the background; awaited before the data is closed. */
  close?(): Promise<void>;
}
