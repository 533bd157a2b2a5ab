import { deviationsOf } from '../../../contract/reading/deviations.ts';
import { isRecord } from '../../../domain/json/value-at.ts';
import type { Verdict, Wrong } from '../notebook.ts';
import { isSuccess, type Told, whyUnreached } from '../probe.ts';

/** What an answer is that is no JSON, without its content. */
function kindOfBody({ response }: Told): string {
  const body = response?.body ?? '';
  if (body.trim() === '') return 'an empty body';
  const type = response?.headers['content-type']?.split(';')[0]?.trim() ?? 'no content type';
  return /json$/i.test(type) ? 'broken JSON' : type;
}

const broken = (expected: string, seen: string, path = ''): Wrong => ({ path, kind: 'breaks', expected, seen });

/** An operation that answers Empty may say so without a body, or with null. */
function isSilence({ operation, response }: Told): boolean {
  return Object.keys(operation.response.shape).length === 0 && /^\s*(?:null)?\s*$/.test(response?.body ?? '');
}

/** The code of an error body; undefined if it is none. */
export const codeOf = ({ value }: Told) =>
  isRecord(value) && typeof value.code === 'string' && value.code !== '' ? value.code : undefined;

/** Judges an ordinary answer by the declaration of its operation. */
export function judgeAnswer(told: Told): Verdict {
  const unreached = whyUnreached(told);
  if (unreached !== undefined) return { unchecked: unreached };
  if (!isSuccess(told)) {
    return [broken('status 200', `${told.response?.status} ${codeOf(told) ?? kindOfBody(told)}`)];
  }
  if (isSilence(told)) return [];
  if (told.plain === undefined) return [broken('a JSON object', kindOfBody(told))];
  return deviationsOf(told.operation, told.plain);
}

/** Judges the headers of a success. */
export function judgeHeaders(told: Told): Verdict | undefined {
  if (!isSuccess(told) || told.plain === undefined) return undefined;
  const type = told.response?.headers['content-type'] ?? 'none';
  if (/^application\/json\b/i.test(type)) return [];
  return [{ path: 'content-type', kind: 'may break others', expected: 'application/json', seen: type.slice(0, 60) }];
}

/** Judges how long an answer took. */
export function judgeSpeed({ milliseconds, response }: Told, mostMs: number): Verdict | undefined {
  if (response === undefined) return undefined;
  if (milliseconds <= mostMs) return [];
  const seen = `${(milliseconds / 1000).toFixed(1)} s`;
  return [{ path: '', kind: 'may break others', expected: `an answer within ${mostMs / 1000} s`, seen }];
}

/** The refusal that a check demands; a method may be refused with any status and code below 500. */
export interface Demanded {
  readonly status: number;
  readonly code: string;
  readonly anyRefusal?: boolean;
}

/** Judges how a wrong request was refused. */
export function judgeRefusal(told: Told, { status, code, anyRefusal = false }: Demanded): Verdict {
  const { response } = told;
  if (response === undefined || [429, 502, 503, 504].includes(response.status)) {
    return { unchecked: whyUnreached(told) ?? 'no answer arrived' };
  }
  const expected = anyRefusal ? 'a refusal' : `${status} ${code}`;
  const seenCode = codeOf(told);
  const seen = `${response.status}${seenCode === undefined ? '' : ` ${seenCode}`}`;
  if (response.status < 400) return [broken(expected, seen, 'status')];
  if (anyRefusal) return response.status < 500 ? [] : [broken(expected, seen, 'status')];
  if (seenCode === undefined) return [broken(`${expected} with code, msg and meta`, `${seen} and ${kindOfBody(told)}`)];
  if (seenCode !== code) return [broken(expected, seen, 'code')];
  return response.status === status ? [] : [{ ...broken(expected, seen, 'status'), kind: 'may break others' }];
}
