import type { Operation } from '../../../contract/operation.ts';
import type { WireRequest } from '../../../platform/http/transport.ts';
import type { Verdict } from '../notebook.ts';
import type { Probe, Told } from '../probe.ts';
import type { CheckName } from '../scenarios.ts';
import { type Demanded, judgeRefusal } from './answers.ts';

/** A request that a service has to refuse, made out of an ordinary one, and how it has to. */
interface Refused extends Demanded {
  readonly change: (request: WireRequest) => WireRequest;
}

/** The largest id there is: no record has it. */
export const NO_ID = '9223372036854775807';

const withHeader = (request: WireRequest, name: string, value: string): WireRequest => ({
  ...request,
  headers: { ...request.headers, [name]: value },
});

const refused: Partial<Record<CheckName, Refused>> = {
  'wrong key': {
    status: 401,
    code: 'unauthenticated',
    change: (request) => withHeader(request, 'authorization', 'Bearer 0:a-key-that-nobody-has'),
  },
  'unknown path': {
    status: 404,
    code: 'bad_route',
    change: (request) => ({ ...request, url: `${request.url}Unknown` }),
  },
  'wrong method': {
    status: 404,
    code: 'bad_route',
    anyRefusal: true,
    change: (request) => ({ ...request, method: 'GET', body: '' }),
  },
  'wrong content type': {
    status: 404,
    code: 'bad_route',
    change: (request) => withHeader(request, 'content-type', 'text/plain'),
  },
  'malformed body': { status: 400, code: 'invalid_argument', change: (request) => ({ ...request, body: '{"' }) },
};

/** Sends a request that has to be refused, and judges the refusal. */
export async function checkRefusal(
  probe: Probe,
  operation: Operation,
  check: CheckName,
  request: object,
): Promise<{ readonly verdict: Verdict; readonly told: Told }> {
  const { change, ...demanded } = refused[check] ?? unknownId;
  const told = await probe.raw(operation, request, change);
  return { verdict: judgeRefusal(told, demanded), told };
}

const unknownId: Refused = { status: 404, code: 'not_found', change: (request) => request };
