import { createHash } from 'node:crypto';
import type { Action, Rows } from '../action/action.ts';
import { inRun, type Means, quietReport } from '../action/means.ts';
import type { Ports } from '../action/ports.ts';
import { invalidInput, Refusal } from '../client/refusal.ts';
import { isRecordId } from '../contract/schema/scalars.ts';
import { whole } from '../domain/coming-lists.ts';
import { type Fields, fieldsIn, isRecord } from '../domain/json/values.ts';
import { actionCalled, type ClosedSet, jsonOf, maskedValue, refuseHidden } from './closed-set.ts';

/** What serves an agent: what the command line lends, and what may be used of it. */
export interface Desk {
  readonly means: Means;
  readonly isPersonal: boolean;
  /** Ends everything that is at work. */
  readonly signal: AbortSignal;
}

/** What agents may use of all actions. */
export const closedSetOf = async ({ means, isPersonal }: Desk): Promise<ClosedSet> => ({
  actions: await means.actions(),
  isPersonal,
});

/** The most of the records of an answer, in characters: 6,000 tokens, with what stands around them. */
const MOST_ANSWER = 23_000;

/** Where a list goes on: what is added to the input, and how many records are passed over. */
interface Place {
  readonly given: Readonly<Record<string, string>>;
  readonly skip: number;
}

const START: Place = { given: {}, skip: 0 };

/** The digest of what a cursor belongs to. */
const ownerOf = (action: Action, input: Fields) =>
  createHash('sha256')
    .update(jsonOf([action.id, input]))
    .digest('hex')
    .slice(0, 12);

const cursorOf = (owner: string, { given, skip }: Place) =>
  Buffer.from(JSON.stringify([owner, skip, given])).toString('base64url');

function placeIn(cursor: string, owner: string): Place {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const [of, skip, given] = Array.isArray(value) ? value : [];
    const texts = Object.entries(fieldsIn(given)).map(([name, text]) => [name, String(text)]);
    if (of === owner && Number.isSafeInteger(skip) && skip >= 0) return { given: Object.fromEntries(texts), skip };
  } catch {
    // Said below.
  }
  throw invalidInput([{ path: 'cursor', message: 'is not of this command with this input' }]);
}

/** Whether a value is a list. */
export const isRows = (value: unknown): value is Rows<unknown> =>
  typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value);

/** A page of records: as many as there is room for. */
interface PageOfRecords {
  readonly records: readonly unknown[];
  /** How many were passed over and shown, if there are more. */
  readonly seen: number | undefined;
}

async function pageOf(rows: Rows<unknown>, skip: number, isMasked: boolean): Promise<PageOfRecords> {
  const records: unknown[] = [];
  let [seen, size] = [0, 0];
  for await (const row of rows) {
    if (seen >= skip) {
      const shown = shortened(maskedValue(row, isMasked));
      size += jsonOf(shown).length + 1;
      if (size > MOST_ANSWER && records.length > 0) return { records, seen };
      records.push(shown);
    }
    seen += 1;
  }
  return { records, seen: undefined };
}

/** A record that is larger than an answer, without the ends of its lists. */
function shortened(record: unknown): unknown {
  if (jsonOf(record).length <= MOST_ANSWER || !isRecord(record)) return record;
  const entries = Object.entries(record).map(([name, value]) => {
    const room = Math.floor(MOST_ANSWER / Object.keys(record).length);
    if (jsonOf(value ?? null).length <= room) return [name, value];
    if (!Array.isArray(value)) return [name, null];
    const [first] = value;
    const most = Math.max(1, Math.floor(room / Math.max(1, jsonOf(first ?? null).length)));
    return [name, value.slice(0, most)];
  });
  const shown = { ...Object.fromEntries(entries), shortened: true };
  return jsonOf(shown).length <= MOST_ANSWER ? shown : { shortened: true };
}

/** The list of a record that holds nothing else of size, which is paged like one; undefined otherwise. */
function listWithin(value: unknown): { readonly name: string; readonly rows: readonly unknown[] } | undefined {
  if (!isRecord(value) || jsonOf(value).length <= MOST_ANSWER) return undefined;
  const [longest] = Object.entries(value)
    .flatMap(([name, rows]) => (Array.isArray(rows) ? [{ name, rows, size: jsonOf(rows).length }] : []))
    .sort((one, other) => other.size - one.size);
  return longest;
}

/** The ports of an action that only reads: a call that writes is refused, whatever the action declares. */
const readingPorts = (ports: Ports): Ports => ({
  ...ports,
  connection(baseUrl) {
    const connection = ports.connection(baseUrl);
    return {
      ...connection,
      gate(outgoing) {
        if (outgoing.effect !== 'read')
          throw new Refusal('writes_here', 'this would write: plan it', { kind: 'policy' });
        connection.gate?.(outgoing);
      },
    };
  },
});

/** The input with the id of the record that was called by another name. */
async function byName({ find, positional: [field] = [] }: Action, input: Fields, ports: Ports): Promise<Fields> {
  const text = field === undefined ? undefined : input[field];
  if (find === undefined || field === undefined || typeof text !== 'string' || isRecordId(text)) return input;
  return { ...input, [field]: (await find(text, ports)).id };
}

/** Runs a command that reads, and answers its records as far as there is room. */
export async function readRecords(
  desk: Desk,
  { command, input = {}, cursor }: { readonly command: string; readonly input?: Fields; readonly cursor?: string },
): Promise<Fields> {
  const action = actionCalled(command, 'read', await closedSetOf(desk));
  refuseHidden(action, input);
  const owner = ownerOf(action, input);
  const place = cursor === undefined ? START : placeIn(cursor, owner);
  let rest: Readonly<Record<string, string>> | undefined;
  const report = quietReport({
    rest(further) {
      rest = further;
    },
  });
  return inRun(desk.means, { signal: desk.signal, report }, async (opened) => {
    const ports = readingPorts(opened.ports);
    const named = await byName(action, { ...input, ...place.given }, ports);
    const given = await opened.check(action, named);
    const seen = action.atFirstSight?.({ ...given }) ?? given;
    const value = await whole(await action.run(seen, ports));
    const within = isRows(value) ? undefined : listWithin(value);
    const page = await pageOf(isRows(value) ? value : (within?.rows ?? [value]), place.skip, !desk.isPersonal);
    const records =
      within === undefined
        ? page.records
        : [
            {
              ...fieldsIn(maskedValue({ ...fieldsIn(value), [within.name]: [] }, !desk.isPersonal)),
              [within.name]: page.records,
            },
          ];
    if (page.seen !== undefined) return { records, cursor: cursorOf(owner, { ...place, skip: page.seen }) };
    // What says how to go on and gives nothing for it has shown what there is.
    const isMore = rest !== undefined && Object.keys(rest).length > 0;
    return { records, cursor: isMore ? cursorOf(owner, { given: rest ?? {}, skip: 0 }) : null };
  });
}
