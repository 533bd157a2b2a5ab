// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are source text
/** Faults in the executable without Node, in services, and in what is said of places and health. */
const files = {
  oneFile: 'src/one-file.ts',
  service: 'src/action/service.ts',
  status: 'src/events/actions/webhook-status.ts',
  workspace: 'src/workspace/actions/workspace.ts',
  importing: 'src/cod/actions/import.ts',
};
const tests = {
  oneFile: 'test/one-file.proof.test.ts',
  events: 'test/cli/webhooks/events.test.ts',
  listen: 'test/cli/webhooks/listen.test.ts',
  workspace: 'test/cli/workspace.test.ts',
  stored: 'test/cli/cod/stored-already.test.ts',
};

/** The faults; `fault` makes one. */
export const ofInstalling = (fault) => [
  fault(
    'unpacked-files-unchecked',
    'the executable runs whatever lies in the cache',
    files.oneFile,
    'return paths.every((path) => isSame(`${directory}/${path}`, bytesOf(packed, path)));',
    'return paths.length > 0;',
    tests.oneFile,
  ),
  fault(
    'unpacked-open-to-others',
    'the executable runs files from a directory that others can write',
    files.oneFile,
    'status.uid !== user || (status.mode & 0o077) !== 0',
    'status.uid !== user',
    tests.oneFile,
  ),
  fault(
    'own-part-by-its-name',
    'the executable runs any file that is called like one of its own',
    files.oneFile,
    'return isSame(word, bytesOf(packed, basename(word)));',
    'return true;',
    tests.oneFile,
  ),
  fault(
    'drafts-count-as-programs',
    'starts of the one file at once remove the program of each other',
    files.oneFile,
    'const RECENT_MS = 30 * 86_400_000;',
    'const RECENT_MS = 0;',
    tests.oneFile,
  ),
  fault(
    'temporary-program-stays',
    'a program that was unpacked for one run stays',
    files.oneFile,
    "process.once('exit', remove);",
    'void remove;',
    tests.oneFile,
  ),
  fault(
    'unit-with-password',
    'the password of the database is written into a unit',
    files.service,
    'isPostgresAddress(value) ? withoutPassword(value) : value',
    'isPostgresAddress(value) ? value : value',
    tests.events,
  ),
  fault(
    'health-of-no-listener',
    'a listener that has ended is healthy',
    files.status,
    "if (broken.length > 0) report.verdict('partial');",
    '',
    tests.listen,
  ),
  fault(
    'asking-for-places-makes-them',
    'asking where the workspace would be makes it',
    files.workspace,
    'if (paths === true && !isPostgresAddress(place) && !existsSync(place))',
    "if (paths === true && place === '')",
    tests.workspace,
  ),
  fault(
    'one-of-a-folder-stops-all',
    'a file of a folder that raises a question stops the others',
    files.importing,
    'if (given.file.join() === files.join() && files.length === 1) throw withGiven(error, given);',
    'throw error;',
    tests.stored,
  ),
];
