import type { WireRequest, WireResponse } from '../../platform/http/transport.ts';

/** Middleware around every request, for example to log it or to break its answer. */
export type Layer = (
  request: WireRequest,
  next: (request: WireRequest) => Promise<WireResponse>,
) => Promise<WireResponse>;

/** A part of the sandbox besides the operations: its control functions, and its background work. */
export interface Part<Control extends object> {
  /** Its functions in `sandbox.control`. */
  readonly control: Control;
  readonly layer?: Layer;
  /** Ends all mere waiting, such as a delayed answer, so that requests in flight can finish. */
  interrupt?(): void;
  /** Ends its background work; awaited before the data is closed. */
  close?(): Promise<void>;
}
