// Faults in what is believed of what comes in: names that are empty, flags that contradict, keys, addresses.

const blank = 'src/cli/run/blank-selectors.ts';
const twice = 'test/cli/two-values.test.ts';
const keys = 'src/actions/settings/keys.ts';
const typed = 'test/cli/selectors/typed-profile.test.ts';
const leaves = 'test/cli/leaves-nothing.test.ts';
const leaks = 'test/cli/no-key-is-repeated.test.ts';
const names = 'test/cli/empty-names.test.ts';

export const ofTheInput = (fault) => [
  fault(
    'blank-is-a-name',
    'a blank text, as of a variable that is not set, names the newest one or all of them',
    blank,
    'if (blank.length === 0) return;',
    'if (blank.length >= 0) return;',
    names,
  ),
  fault('spaces-are-a-name', 'a text of spaces alone is a name', blank, "value.trim() === ''", "value === ''", names),
  fault(
    'blank-name-of-a-file',
    'the blank name of a file that every command of a kind takes is not refused',
    'src/cli/run/action-input.ts',
    'for (const { name } of [toFlag, ...wholeFlags]) {',
    'for (const { name } of [toFlag, ...wholeFlags].slice(0, 0)) {',
    names,
  ),
  fault(
    'empty-variable-is-unset',
    'a command that calls the service takes an empty variable for one that is not set',
    'src/cli/run/run-action.ts',
    'if (empty.length === 0) return;',
    'if (empty.length >= 0) return;',
    names,
  ),
  fault(
    'three-letters-name-a-batch',
    'three characters name a batch, or a write whose outcome is not known',
    'src/domain/named-by.ts',
    'export const LEAST_PREFIX = 4;',
    'export const LEAST_PREFIX = 3;',
    names,
  ),
  fault(
    'last-of-two-values',
    'of two different values of a flag that chooses what is written the last one counts',
    'src/cli/program.ts',
    'if (isManner === true || other === undefined) return;',
    'if (isManner !== true || other === undefined) return;',
    twice,
  ),
  fault(
    'flag-wins-over-its-place',
    'another id in a flag replaces the one that was given by position',
    'src/cli/run/action-input.ts',
    'placed[name] !== undefined && placed[name] !== draft[name]',
    'placed[name] === undefined && placed[name] !== draft[name]',
    twice,
  ),
  fault(
    'last-part-of-two',
    'of two different values of one field of a record the last one counts',
    'src/cli/flags/read-flags.ts',
    'JSON.stringify(merged[name]) !== JSON.stringify(value)',
    'merged[name] === undefined',
    twice,
  ),
  fault(
    'key-left-over-wins',
    'a key that is left over in the environment wins over the profile that was typed: the order goes to another shop',
    keys,
    '({ given, own }) => own.length > 0 && !own.includes(given)',
    '({ given, own }) => own.length > 1 && !own.includes(given)',
    typed,
  ),
  fault(
    'profile-without-key-is-another',
    'a profile without a key is refused beside a key of the environment',
    keys,
    'own.length > 0 && !own.includes(given)',
    '!own.includes(given)',
    typed,
  ),
  fault(
    'stored-profile-is-typed',
    'a profile that nobody typed is refused beside a key of the environment',
    keys,
    "profileName?.origin !== 'flag'",
    "profileName?.origin === 'default'",
    typed,
  ),
  fault(
    'look-opens-the-workspace',
    'a dry run opens the workspace itself instead of a copy, and leaves rows in it',
    'src/actions/action/open-workspace.ts',
    'if (scratch === undefined || isPostgresAddress(place)) return place;',
    "if (scratch === undefined || place !== '') return place;",
    leaves,
  ),
  fault(
    'look-sends-rows',
    'a dry run of a batch does not end before its first row is sent',
    'src/actions/batch/in-context.ts',
    'beforeSending: ports.isLook ?',
    'beforeSending: ports.isLook === undefined ?',
    leaves,
  ),
  fault(
    'key-in-an-error',
    'an error repeats a key that was typed where a name belongs',
    'src/platform/settings/secret.ts',
    ".replaceAll(LIKE_A_KEY, '***');",
    ".replaceAll('', '');",
    leaks,
  ),
  fault(
    'known-key-in-an-error',
    'an error repeats a known key that does not look like one',
    'src/platform/settings/secret.ts',
    'known.filter((secret) => secret.length >= 8)',
    'known.filter((secret) => secret.length < 8)',
    leaks,
  ),
  fault(
    'command-gets-keys',
    'a command that takes changes gets the keys of the environment',
    'src/actions/webhooks/listen-input.ts',
    'return passes === true ? env :',
    'return passes !== true ? env :',
    leaks,
  ),
  fault(
    'code-by-its-middle',
    'a part of a code finds it, so that a number finds other codes',
    'src/actions/operations/list-filters.ts',
    'code.startsWith(each)',
    'code.includes(each)',
    'test/cli/selectors/finding.test.ts',
  ),
  fault(
    'phone-by-few-digits',
    'a few digits find every phone number that has them',
    'src/actions/operations/list-filters.ts',
    'const FEWEST_DIGITS = 6;',
    'const FEWEST_DIGITS = 3;',
    'test/cli/selectors/finding.test.ts',
  ),
];
