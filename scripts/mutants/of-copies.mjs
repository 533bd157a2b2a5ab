/** Faults in how a workspace that was put back or moved is treated. */
const restored = 'src/workspace/move/restored.ts';
const epoch = 'src/workspace/move/epoch.ts';
const move = 'src/workspace/move/move.ts';
const tests = {
  putBack: 'test/workspace/put-back.test.ts',
  move: 'test/workspace/move.test.ts',
  commands: 'test/cli/workspace.test.ts',
};

/** The faults; `fault` makes one. */
export const ofCopies = (fault) => [
  fault(
    'epoch-outside-is-not-compared',
    'a copy over the file of the workspace sends its planned rows again',
    restored,
    ' || outside > epoch',
    '',
    tests.putBack,
  ),
  fault(
    'late-process-lowers-the-epoch',
    'of two processes the one that comes late lowers the epoch outside the ledger',
    epoch,
    'openSync(path, constants.O_WRONLY | constants.O_CREAT, 0o600)',
    'openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o600)',
    tests.putBack,
  ),
  fault(
    'epoch-has-one-place',
    'a copy is not recognised where the settings cannot be written',
    epoch,
    'places.some((place) => storeAt(place, ledger, epoch))',
    'places.slice(0, 1).some((place) => storeAt(place, ledger, epoch))',
    tests.putBack,
  ),
  fault(
    'row-put-back-holds-no-key',
    'a command sends the order of a row that a copy has as planned, and the row is sent after it',
    restored,
    'if (hold !== undefined) await forEachPlanned(',
    'if (hold === undefined) await forEachPlanned(',
    tests.putBack,
  ),
  fault(
    'unknown-beats-done',
    'of two ledgers that are joined, the one that knows less of a record wins',
    'src/workspace/move/moved-tables.ts',
    "when 'sending' then 1 when 'unclear' then 2 else 3 end",
    "when 'sending' then 3 when 'unclear' then 2 else 1 end",
    tests.move,
  ),
  fault(
    'earlier-outcome-wins',
    'a record that was cancelled later in the other ledger counts as made',
    'src/workspace/move/moved-tables.ts',
    '(ledger_keys.at < excluded.at',
    '(ledger_keys.at > excluded.at',
    tests.move,
  ),
  fault(
    'changes-lose-their-account',
    'received changes are on a server under no account, where nobody finds them',
    move,
    "account === '' ? (eventsOf ?? '') : account",
    'account',
    tests.move,
  ),
  fault(
    'changes-keep-their-account',
    'received changes are in a file under an account, where nobody looks for it',
    move,
    "isFile ? '' : account",
    "isFile === undefined ? '' : account",
    tests.move,
  ),
  fault(
    'receiver-alone-is-not-moved',
    'a workspace that has received changes and sent nothing stays behind',
    'src/actions/workspace/move-ledgers.ts',
    '[...known, ...found].filter(',
    '[...known].filter(',
    tests.commands,
  ),
  fault(
    'copy-from-within-a-run-is-unknown',
    'a copy from within a run that was killed later is not recognised',
    'src/workspace/move/epoch.ts',
    'await epochIn(read);\n  storeEpoch(places, ledger, epoch);',
    'await epochIn(read);\n  storeEpoch([], ledger, epoch);',
    'test/workspace/put-back.test.ts',
  ),
  fault(
    'ledger-that-went-back-is-claimed-from',
    'a run goes on in a ledger that has become an earlier copy',
    'src/workspace/batches/journal.ts',
    'if (now <= epoch) throw',
    'if (now < 0) throw',
    'test/workspace/workers.test.ts',
  ),
  fault(
    'database-that-took-over-is-claimed-from',
    'a run goes on in another database that took over',
    'src/workspace/postgres/postgres-workspace.ts',
    'if (now !== incarnation) throw',
    "if (now === '') throw",
    'test/workspace/postgres.test.ts',
  ),
  fault(
    'file-is-its-database',
    'a file beside the database that it was moved to counts as the same ledger',
    'src/actions/workspace/own-ledger.ts',
    'if (isOnServer(known.place)) return isOnServer(place);',
    'if (isOnServer(known.place)) return true;',
    'test/promises/sending/one-ledger.test.ts',
  ),
];
