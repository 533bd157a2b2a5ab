/** Faults in how answers are compared with what was asked for. */
const doubt = 'src/client/settle/doubt.ts';
const answer = 'src/client/exchange/answer.ts';
const test = 'test/promises/sending/other-answers.test.ts';

/** The faults; `fault` makes one. */
export const ofAnswers = (fault) => [
  fault(
    'answer-without-record-is-done',
    'a create is done though its answer names no record',
    doubt,
    "return { reason: 'its answer names no record' }",
    'return undefined',
    test,
  ),
  fault(
    'answer-of-another-is-done',
    "a create is done by the answer to somebody else's",
    doubt,
    'found === name ? undefined :',
    'found === name || found !== name ? undefined :',
    'test/wire/answers.test.ts',
  ),
  fault(
    'unnamed-record-is-not-compared',
    'a create without a name is done by whatever record comes back',
    doubt,
    "if (name === '' && bringsBack(operation, request, record)) return undefined;",
    "if (name === '') return undefined;",
    test,
  ),
  fault(
    'record-of-an-id-is-not-compared',
    'an id that is answered without a name counts, whoever has it',
    'src/client/settle/answered-id.ts',
    'return isNamed || (isEqual && bringsBack(operation, request, record))',
    'return isNamed || isEqual || record.id !== undefined',
    test,
  ),
  fault(
    'accepted-is-done',
    'a write that was taken, and not carried out, is done',
    answer,
    'if (status === 202 && isWrite(subject.effect)) {',
    'if (status === 203 && isWrite(subject.effect)) {',
    'test/wire/answers.test.ts',
  ),
  fault(
    'read-of-another-is-believed',
    'a read is believed though it is about another record',
    answer,
    'if (by !== undefined && !isWrite(effect)) throw',
    'if (by !== undefined && by === effect) throw',
    test,
  ),
  fault(
    'change-of-another-is-believed',
    "a change is done though another record's was answered",
    answer,
    "const doubted = by === undefined ? doubt?.(answer) : { reason: 'its answer is about another record' };",
    'const doubted = doubt?.(answer);',
    test,
  ),
  fault(
    'look-up-is-asked-once',
    'one answer about another record ends a read that would have been answered right',
    'src/client/exchange/exchange.ts',
    'if (result.error instanceof AnotherRecordError && !wasAnothers) {',
    'if (result.error instanceof AnotherRecordError && wasAnothers) {',
    test,
  ),
  fault(
    'undo-of-another-name',
    "an undo ends a record that has somebody else's name",
    'src/flows/batch/undo/undone-already.ts',
    "if (external_id !== '' && external_id !== name) {",
    "if (external_id !== '' && external_id === name.concat(' ')) {",
    test,
  ),
  fault(
    'null-is-equal',
    'what was sent and is not there counts as equal',
    'src/client/settle/compare.ts',
    'if (other === null) return isBlank(value) ? [] : [here];',
    'if (other === null) return [];',
    'test/client/settle.test.ts',
  ),
  fault(
    'derived-name-is-not-seen',
    'a record is taken for the own one though its name was never seen',
    'src/client/settle/verdict.ts',
    'const isProven = derived && textIn(record.external_id) === textIn(request.external_id);',
    'const isProven = derived;',
    'test/client/verdict.test.ts',
  ),
];
