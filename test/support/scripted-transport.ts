import type { Transport, WireRequest, WireResponse } from '../../src/platform/http/transport.ts';

/** What a scripted transport does with one request: responds, or fails. */
export type Step = WireResponse | Error | ((request: WireRequest) => WireResponse | Error);

export interface ScriptedTransport {
  readonly transport: Transport;
  /** Every request it received. */
  readonly requests: readonly WireRequest[];
  /** `Area/Operation` of every request. */
  readonly calls: () => readonly string[];
}

/** A transport that follows a script, one step per request; one request too many is an error of the test. */
export function scripted(...steps: readonly Step[]): ScriptedTransport {
  const requests: WireRequest[] = [];
  return {
    requests,
    calls: () => requests.map(({ url }) => url.replace(/^.*\/v1\//, '')),
    async transport(request) {
      const step = steps[requests.length];
      requests.push(request);
      if (step === undefined) throw new RangeError(`request ${requests.length} is not in the script`);
      const result = typeof step === 'function' ? step(request) : step;
      if (result instanceof Error) throw result;
      return result;
    },
  };
}

/** A JSON response. */
export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): WireResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

/** A service that says of an order, until it is cancelled, that its parcel was picked up. */
export function lookedAtFirst(transport: Transport): Transport {
  const fulfillments = [{ id: '2', shipping_state: 'delivering' }];
  let isCancelled = false;
  return async (request, ...rest) => {
    isCancelled ||= request.url.endsWith('/CancelOrder');
    if (isCancelled || !request.url.endsWith('/GetOrder')) return transport(request, ...rest);
    return json(200, { order: { id: '1', status: 'S', ...JSON.parse(String(request.body)) }, fulfillments });
  };
}

/** An error response as in the contract. */
export function errorAnswer(
  status: number,
  code: string,
  meta?: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): WireResponse {
  return json(status, { code, msg: `says ${code}`, ...(meta === undefined ? {} : { meta }) }, headers);
}
