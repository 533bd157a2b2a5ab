/** Faults in how what comes in is taken: empty texts, two values, left-over keys, keys in the place of names. */
const test = 'test/cli/what-comes-in.test.ts';

/** The faults; `fault` makes one. */
export const ofWhatComesIn = (fault) => [
  fault(
    'empty-position-is-taken',
    'an empty text in a position selects whatever there is',
    'src/cli/run/action-input.ts',
    'if (hints?.[name]?.mayBeBlank !== true) refuseBlank(name, name, texts);',
    '',
    test,
  ),
  fault(
    'empty-flag-is-taken',
    'an empty flag selects whatever there is',
    'src/cli/run/action-input.ts',
    'const how = { source, selects: !clears,',
    "const how = { source, selects: action.effect === 'by-call',",
    test,
  ),
  fault(
    'empty-variable-is-none',
    'an empty variable counts as none, and another profile is used',
    'src/cli/run/run-action.ts',
    "const [empty] = action.needs.includes('key') ? emptyVariables(context.env) : [];",
    'const [empty] = emptyVariables({});',
    test,
  ),
  fault(
    'last-of-two-values-counts',
    'of two different values the last is written, and nothing says so',
    'src/cli/flags/read-flags.ts',
    'if (another === undefined) return;',
    'if (another === undefined || texts.length > 1) return;',
    test,
  ),
  fault(
    'last-profile-counts',
    'of two profiles the last is used, and nothing says so',
    'src/cli/line/line.ts',
    'if (flag.chooses === true && before !== value)',
    'if (flag.chooses === true && before === undefined)',
    test,
  ),
  fault(
    'left-over-key-counts',
    'a key that is left over acts for another shop than the profile that was typed',
    'src/actions/settings/keys.ts',
    '  requireMeantProfile(settings, env);\n',
    '',
    test,
  ),
  fault(
    'key-is-repeated',
    'a key in the place of a name is written to stderr',
    'src/platform/terminal/masked-sink.ts',
    "text.replace(KEY, '***')",
    'text',
    test,
  ),
  fault(
    'command-gets-the-keys',
    'the command for each change gets the keys of the service',
    'src/actions/webhooks/listen-action.ts',
    'env: given.pass_keys === true ? env : withoutKeys(env)',
    'env',
    'test/cli/webhooks/listen.test.ts',
  ),
];
