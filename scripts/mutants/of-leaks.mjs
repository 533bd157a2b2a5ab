/** Faults in what keys reach. */

/** The faults; `fault` makes one. */
export const ofLeaks = (fault) => [
  fault(
    'key-is-repeated',
    'a key in the place of a name is written to stderr',
    'src/platform/terminal/masked-sink.ts',
    "text.replace(KEY, '***')",
    'text',
    'test/cli/keys-in-errors.test.ts',
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
