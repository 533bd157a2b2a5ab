// The rules of docs/outcomes.md and docs/security.md that say never, only or a number, each with the planted faults that break it:
// `npm run mutants -- --rules` prints them.
export const rules = [
  {
    rule: 'An empty or blank text names nothing',
    faults: ['blank-is-a-name', 'spaces-are-a-name', 'blank-name-of-a-file', 'empty-variable-is-unset'],
  },
  {
    rule: 'A prefix needs four characters; a whole id counts at any length',
    faults: ['three-letters-name-a-batch', 'row-by-the-beginning-of-its-id'],
  },
  {
    rule: 'Two different values of a flag that chooses what is written are refused',
    faults: ['last-of-two-values', 'flag-wins-over-its-place', 'last-part-of-two'],
  },
  {
    rule: "A typed profile is never another shop's than the key that is left over",
    faults: ['key-left-over-wins', 'stored-profile-is-typed'],
  },
  {
    rule: 'Any second address of a known shop is asked about; a sandbox is its instance, not its port',
    faults: ['second-address-is-not-asked', 'sandbox-is-its-port', 'this-machine-has-three-names'],
  },
  {
    rule: 'An edited plan is refused before the first write',
    faults: ['edited-plan-is-run', 'row-of-a-plan-in-no-digest', 'plan-is-sent-as-it-stands'],
  },
  {
    rule: 'No row costs more than was agreed to; --max-fee only lowers that',
    faults: ['dearer-than-agreed-is-sent', 'max-fee-raises-the-agreed', 'cap-is-a-wish'],
  },
  { rule: 'A dry run changes no file and sends only reads', faults: ['look-opens-the-workspace', 'look-sends-rows'] },
  {
    rule: 'A create is only done by an answer that proves it',
    faults: [
      'answer-without-record-is-done',
      'answer-of-another-is-done',
      'accepted-is-done',
      'unnamed-record-is-not-compared',
    ],
  },
  {
    rule: 'An id of an answer alone is never stored as ours',
    faults: ['record-of-an-id-is-not-compared', 'derived-name-is-not-seen'],
  },
  {
    rule: 'Where nothing is due, only nothing is an answer',
    faults: ['any-answer-changes', 'any-answer-adds', 'foreign-object-is-nothing'],
  },
  {
    rule: 'A cancellation is only done when its record is cancelled',
    faults: [
      'cancellation-without-record-is-done',
      'cancellation-of-a-live-record-is-done',
      'cancellation-without-count-is-done',
    ],
  },
  {
    rule: 'A read of another record is asked once more, then it is no answer',
    faults: [
      'look-up-is-asked-once',
      'read-of-another-is-believed',
      'name-that-is-missing-is-right',
      'look-without-a-record-finds-nothing',
      'list-without-its-list-is-empty',
      'key-of-another-shop-is-kept',
    ],
  },
  {
    rule: 'Nothing is undone whose name, read now, is another one',
    faults: ['undo-of-another-name', 'nameless-record-is-not-read', 'undo-takes-a-name-for-a-record'],
  },
  {
    rule: 'After the first byte a refusal proves nothing by itself',
    faults: [
      'unread-refusal-is-proof',
      'refused-copy-is-proof',
      'unread-conflict-is-proof',
      'throttled-then-refused-is-proof',
      'never-left-is-proof',
    ],
  },
  {
    rule: 'Only a complete 429 lets what has no unique name be sent once more',
    faults: ['unread-throttle-is-read', 'lost-after-throttled-is-sent-again', 'unnamed-is-sent-again'],
  },
  { rule: 'A 429 alone makes no row failed or unclear', faults: ['throttled-row-fails'] },
  { rule: 'What was sent and comes back as null differs', faults: ['null-is-equal'] },
  {
    rule: "The guard of 24 hours holds by the service's time or by the machine's",
    faults: ['half-a-day', 'machine-clock-is-not-asked', 'machine-clock-is-believed', 'sent-before-for-ever'],
  },
  {
    rule: 'A Date ten minutes off counts from the second answer that agrees, a second later',
    faults: ['first-date-is-believed', 'second-date-at-once-is-believed'],
  },
  { rule: 'The key stores both times', faults: ['outcome-has-one-time'] },
  {
    rule: '--again only passes what is made and was reported',
    faults: [
      'again-passes-the-untold',
      'again-passes-the-killed',
      'again-passes-an-unfinished-batch',
      'unclear-passed-unasked',
    ],
  },
  {
    rule: 'A batch counts as reported only when its summary was written',
    faults: ['batch-is-told-before-its-summary'],
  },
  {
    rule: "A change has one key, its record's id, whatever named it",
    faults: ['change-has-a-key-for-each-name', 'row-has-a-key-for-each-name'],
  },
  {
    rule: 'If the record cannot be read, nothing is sent',
    faults: ['row-without-a-record-is-sent', 'row-is-claimed-before-its-record-is-known'],
  },
  {
    rule: 'An end marks the maker undone, however it is learned',
    faults: [
      'delete-leaves-the-maker',
      'ended-before-marks-nothing',
      'word-on-a-change-marks-nothing',
      'end-in-a-change-is-not-seen',
      'end-in-the-mirror-is-not-seen',
    ],
  },
  {
    rule: 'A parcel that travels on does not free the name',
    faults: ['travelling-parcel-is-made-again', 'travelling-parcel-of-a-row-is-made-again'],
  },
  {
    rule: 'What has ended is never sent again unless somebody says so; a parcel that travels on only by its name',
    faults: [
      'undone-name-is-sent-again',
      'undone-content-is-sent-again',
      'continued-row-is-sent-again',
      'travelling-is-sent-by-its-kind',
      'mapping-sends-again',
    ],
  },
  {
    rule: 'Of a record that cannot be read nothing is guessed',
    faults: ['unread-is-sent-again', 'unread-says-nothing', 'any-name-is-believed'],
  },
  {
    rule: 'What is sent again takes its key only from what was seen',
    faults: ['resend-takes-any-key', 'returned-keeps-its-key', 'returned-name-is-taken'],
  },
  {
    rule: 'Records are read by a list, 100 a call, or the newest 300',
    faults: ['list-of-too-many', 'oldest-are-read'],
  },
  {
    rule: 'An owner whose lease is not the newest changes nothing',
    faults: ['key-of-another-owner-is-settled', 'key-of-another-owner-is-freed', 'late-answer-makes-what-was-undone'],
  },
  {
    rule: 'A late answer after a word takes its key again',
    faults: ['late-answer-has-no-key', 'word-outlasts-the-lost-answer'],
  },
  {
    rule: 'Equal content of one moment is never sent twice on a server',
    faults: ['equal-command-is-not-seen', 'equal-row-is-not-seen', 'equal-row-at-once-is-not-seen'],
  },
  {
    rule: 'What is forgotten is known for ever by a salted digest, its content for 24 hours, and never by a plain name or a cell',
    faults: [
      'forgotten-key-is-given-away',
      'content-is-forgotten-at-once',
      'forgotten-content-stays',
      'plain-digest-stays',
      'forgotten-cells-stay-in-free-pages',
    ],
  },
  {
    rule: 'A backup is recognised by a number that is not in the file',
    faults: [
      'epoch-outside-is-not-compared',
      'copy-from-within-a-run-is-unknown',
      'ledger-that-went-back-is-claimed-from',
      'database-that-took-over-is-claimed-from',
      'late-process-lowers-the-epoch',
      'epoch-has-one-place',
    ],
  },
  {
    rule: 'A row that was put back is looked up before it is sent, and holds its key',
    faults: ['restored-row-has-no-key', 'row-put-back-holds-no-key'],
  },
  {
    rule: 'Of two ledgers that are joined the one that knows more counts, then the later one',
    faults: ['unknown-beats-done', 'earlier-outcome-wins', 'made-behind-undone'],
  },
  {
    rule: 'What a move leaves behind is named, never "nothing to move"',
    faults: ['receiver-alone-is-not-moved', 'changes-lose-their-account'],
  },
  {
    rule: 'A form means one record, whatever else was begun since',
    faults: [
      'console-has-begun-once',
      'each-form-begins-now',
      'clock-says-what-a-form-was-told',
      'another-ledger-has-told',
      'moved-reports-are-later',
      'word-is-no-report',
      'mark-is-lost-by-a-reload',
    ],
  },
  { rule: 'Reported is when the page acknowledged the result', faults: ['answered-page-was-told'] },
  { rule: 'No other code opens the file of the ledger', faults: ['opened-again-loses-locks'] },
  {
    rule: 'A derived name counts only with the content that it was derived from',
    faults: ['copied-name-is-taken', 'copied-name-of-a-code', 'copied-name-in-a-sheet-is-taken'],
  },
  {
    rule: 'A key is never repeated',
    faults: [
      'key-in-an-error',
      'known-key-in-an-error',
      'key-in-a-path',
      'key-shown-by-doctor',
      'key-in-a-notice',
      'key-for-a-field',
      'key-in-a-preview',
    ],
  },
  { rule: 'Another program gets keys only with --pass-keys', faults: ['command-gets-keys', 'keys-for-every-program'] },
  {
    rule: 'A phone is found only by six digits or more, a code from its start',
    faults: ['phone-by-few-digits', 'code-by-its-middle'],
  },
  {
    rule: 'An undo leaves what others have changed or added',
    faults: [
      'update-over-a-colleague',
      'planned-value-is-given-back',
      'update-is-sent-unread',
      'record-with-others-work-is-deleted',
      'added-after-the-plan-is-not-seen',
      'member-of-before-is-made',
    ],
  },
];
