import { asSeen } from '../client/authorization.ts';
import { recordIn } from '../client/settle/found-record.ts';
import { deviationsOf } from '../contract/deviations.ts';
import type { Operation } from '../contract/operation.ts';
import { type Fields, isRecord } from '../domain/json/values.ts';
import type { WireRequest } from '../platform/http/transport.ts';
import type { Verdict, Wrong } from './notebook.ts';
import { isSuccess, type Probe, type Reported, whyUnreached } from './probe.ts';
import { type CheckName, type LookupName, namesOf } from './scenarios.ts';

/** What an answer is that is no JSON, without its content. */
function kindOfBody({ response }: Reported): string {
  const body = response?.body ?? '';
  if (body.trim() === '') return 'an empty body';
  const type = response?.headers['content-type']?.split(';')[0]?.trim();
  if (type === undefined) return 'no content type';
  return /json$/i.test(type) ? 'broken JSON' : asSeen(type);
}

const broken = (expected: string, seen: string, path = ''): Wrong => ({ path, kind: 'breaks', expected, seen });

/** An operation that answers Empty may say so without a body, or with null. */
function isSilence({ operation, response }: Reported): boolean {
  return Object.keys(operation.response.shape).length === 0 && /^\s*(?:null)?\s*$/.test(response?.body ?? '');
}

/** The code of an error body; undefined if it is none. */
export const codeOf = ({ value }: Reported) =>
  isRecord(value) && typeof value.code === 'string' && value.code !== '' ? value.code : undefined;

/** What was answered in place of a success: its status, and its code as that stands there. */
export function statusOf(reported: Reported): string {
  const code = codeOf(reported) ?? '';
  return `${reported.response?.status} ${/\s/.test(code) ? asSeen(code) : code}`.trim();
}

/** Judges an ordinary answer by the declaration of its operation. */
export function judgeAnswer(reported: Reported): Verdict {
  const unreached = whyUnreached(reported);
  if (unreached !== undefined) return { unchecked: unreached };
  if (!isSuccess(reported)) {
    const seen = statusOf(reported);
    return [broken('status 200', codeOf(reported) === undefined ? `${seen} ${kindOfBody(reported)}` : seen)];
  }
  if (isSilence(reported)) return [];
  if (reported.plain === undefined) return [broken('a JSON object', kindOfBody(reported))];
  return deviationsOf(reported.operation, reported.plain);
}

/** Judges the headers of a success. */
export function judgeHeaders(reported: Reported): Verdict | undefined {
  if (!isSuccess(reported) || reported.plain === undefined) return undefined;
  const type = reported.response?.headers['content-type'];
  if (type !== undefined && /^application\/json\b/i.test(type)) return [];
  const seen = type === undefined ? 'none' : asSeen(type.slice(0, 60));
  return [{ path: 'content-type', kind: 'may break others', expected: 'application/json', seen }];
}

/** Judges how long an answer took. */
export function judgeSpeed({ milliseconds, response }: Reported, mostMs: number): Verdict | undefined {
  if (response === undefined) return undefined;
  if (milliseconds <= mostMs) return [];
  const seen = `${(milliseconds / 1000).toFixed(1)} s`;
  return [{ path: '', kind: 'may break others', expected: `an answer within ${mostMs / 1000} s`, seen }];
}

/** The refusal that a check demands; a method may be refused with any status and code below 500. */
interface Demanded {
  readonly status: number;
  readonly code: string;
  readonly anyRefusal?: boolean;
}

/** Judges how a wrong request was refused. */
export function judgeRefusal(reported: Reported, { status, code, anyRefusal = false }: Demanded): Verdict {
  const { response } = reported;
  if (response === undefined || [429, 502, 503, 504].includes(response.status)) {
    return { unchecked: whyUnreached(reported) ?? 'no answer arrived' };
  }
  const expected = anyRefusal ? 'a refusal' : `${status} ${code}`;
  const seenCode = codeOf(reported);
  const seen = statusOf(reported);
  if (response.status < 400) return [broken(expected, seen, 'status')];
  if (anyRefusal) return response.status < 500 ? [] : [broken(expected, seen, 'status')];
  if (seenCode === undefined)
    return [broken(`${expected} with code, msg and meta`, `${seen} and ${kindOfBody(reported)}`)];
  if (seenCode !== code) return [broken(expected, seen, 'code')];
  return response.status === status ? [] : [{ ...broken(expected, seen, 'status'), kind: 'may break others' }];
}

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
): Promise<{ readonly verdict: Verdict; readonly reported: Reported }> {
  const { change, ...demanded } = refused[check] ?? unknownId;
  const reported = await probe.raw(operation, request, change);
  return { verdict: judgeRefusal(reported, demanded), reported };
}

const unknownId: Refused = { status: 404, code: 'not_found', change: (request) => request };

/** How many records are looked up by each of their names. */
const EACH = 3;

/** A name of a record as text; "0" and an empty one are none. */
const nameIn = (record: Fields, name: string) => {
  const value = record[name];
  return typeof value === 'string' && value !== '' && value !== '0' ? value : undefined;
};

/** Looks up records by each of their names, and sees whether those records answer: one verdict for each name. */
export async function checkNames(
  probe: Probe,
  operation: Operation,
  records: readonly Fields[],
): Promise<readonly { readonly check: `by ${LookupName}`; readonly verdict: Verdict }[]> {
  const found: { check: `by ${LookupName}`; verdict: Verdict }[] = [];
  for (const name of namesOf(operation)) {
    const values = [...new Set(records.flatMap((record) => nameIn(record, name) ?? []))].slice(0, EACH);
    found.push({ check: `by ${name}`, verdict: await checkName(probe, operation, name, values) });
  }
  return found;
}

async function checkName(
  probe: Probe,
  operation: Operation,
  name: LookupName,
  values: readonly string[],
): Promise<Verdict> {
  if (values.length === 0) return { unchecked: `no record that is listed has its ${name} set` };
  const isOfCreator = operation.creatorsNames === true && name === 'external_id';
  let ofOthers = 0;
  for (const value of values) {
    const reported = await probe.ask(operation, { [name]: value });
    const why = whyUnreached(reported);
    if (why !== undefined) return { unchecked: why };
    const wrong = (seen: string): Wrong => ({
      path: name,
      kind: 'breaks',
      expected: `the record with that ${name}`,
      seen,
      curl: reported.curl,
    });
    if (isOfCreator && reported.response?.status === 404 && codeOf(reported) === 'not_found') {
      ofOthers += 1;
      continue;
    }
    if (!isSuccess(reported)) return [wrong(statusOf(reported))];
    if (reported.plain !== undefined && recordIn(reported.value)?.[name] !== value) return [wrong('another record')];
  }
  return ofOthers === values.length
    ? { unchecked: 'no record that is listed was created with this key, as it seems' }
    : [];
}
