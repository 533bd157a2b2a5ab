// Planted faults in what is done with rows whose records have ended since they were made.

const happened = 'src/flows/batch/plan/what-happened.ts';
const reading = 'src/flows/batch/plan/read-records.ts';
const names = 'src/flows/batch/read/names.ts';
const rowKeys = 'src/workspace/batches/row-keys.ts';
const ended = 'test/batch/ended/ended.test.ts';
const asked = 'test/batch/ended/ended-and-asked.test.ts';

export const ofEnded = (fault) => [
  fault(
    'undone-name-is-sent-again',
    'a row is sent again without a word whose record an undo has ended',
    names,
    "if (undone?.state === 'undone') return { ...row, ended: undone };",
    '',
    ended,
  ),
  fault(
    'undone-content-is-sent-again',
    'a row without a name is sent again without a word whose record was undone',
    names,
    'if (ended !== undefined) return { ...row, ended };',
    '',
    'test/batch/beside-another.test.ts',
  ),
  fault(
    'continued-row-is-sent-again',
    'a row of the batch that goes on is sent again without a word whose record was undone',
    names,
    'if (same !== undefined && !isOver(same)) return',
    'if (same !== undefined) return',
    'test/batch/beside-another.test.ts',
  ),
  fault(
    'travelling-is-sent-by-its-kind',
    'an order is sent again by a kind while its parcel travels on',
    happened,
    "return kind !== 'travelling' && resent[kind] === 'send';",
    "return Object.values(resent).includes('send');",
    ended,
  ),
  fault(
    'unread-is-sent-again',
    'a row is sent again whose record could not be read',
    happened,
    "return row.state === 'existed' ? { ...row, ...notRead(why) } : undefined;",
    'return this.#again(row, undefined);',
    asked,
  ),
  fault(
    'unread-says-nothing',
    'a row does not say that its record was not read again',
    happened,
    "return row.state === 'existed' ? { ...row, ...notRead(why) } : undefined;",
    'return undefined;',
    asked,
  ),
  fault(
    'any-name-is-believed',
    'a record is taken for that of a row though the service has it under another name',
    happened,
    "return isNamedAs(row, found.record) ? undefined : 'its record has another name';",
    'return undefined;',
    asked,
  ),
  fault(
    'resend-takes-any-key',
    'what has ended is sent again by two sheets, the second of which takes the key of the first',
    rowKeys,
    "if (key?.state !== 'done' || key.holder !== resentBy(row)) continue;",
    "if (key?.state !== 'done' || resentBy(row) === undefined) continue;",
    asked,
  ),
  fault(
    'returned-keeps-its-key',
    'an order that came back is never sent again, though a person says so',
    rowKeys,
    'if (given.length === 1) left.set',
    'if (given.length > 1) left.set',
    ended,
  ),
  fault(
    'returned-name-is-taken',
    'a partner sends what came back under a name that the service keeps',
    happened,
    'if (!isTaken) return again;',
    'if (!isTaken || isTaken) return again;',
    ended,
  ),
  fault(
    'oldest-are-read',
    'of more than 300 records that are read one by one the oldest are',
    reading,
    '(one < other ? 1 : -1) : other.length - one.length;',
    '(one < other ? -1 : 1) : one.length - other.length;',
    asked,
  ),
  fault(
    'list-of-too-many',
    'more than 100 records are asked for in one call',
    reading,
    'pieces(known, LARGEST_PAGE)',
    'pieces(known, 5 * LARGEST_PAGE)',
    asked,
  ),
  fault(
    'mapping-sends-again',
    'a mapping sends again whatever has ended, in every file',
    'src/sheets/mapping/mapping.ts',
    "resend_ended: z.record(z.string(), z.literal('skip')).optional(),",
    "resend_ended: z.record(z.string(), z.enum(['skip', 'send'])).optional(),",
    asked,
  ),
  fault(
    'known-file-is-not-resent',
    'a file that was run is only told of, though its rows are to be sent again',
    'src/flows/batch/plan/plan.ts',
    "Object.values(request.answers?.resend_ended ?? {}).includes('send')",
    'false',
    ended,
  ),
  fault(
    'name-of-nobody-is-passed',
    'a name is passed in silence that is that of no order in the file',
    happened,
    'if (first === undefined) return;\n  const message',
    'if (first !== undefined) return;\n  const message',
    ended,
  ),
  fault(
    'difference-is-not-told',
    'a plan does not say in which field a record differs from its row',
    happened,
    'this.differing.push(',
    'void (',
    asked,
  ),
];
