/* Every command under every claim; `npm test` has one of each shape of command line. */
import { describe, it } from 'vitest';
import {
  asksNothing,
  failsInJson,
  keepingSecrets,
  keepsEchoedKeys,
  keepsKeysOfEnvironment,
  takesEveryFlag,
} from './every-command/claims.ts';
import { allRuns, writesObjects } from './every-command/stderr.ts';
import { named } from './every-command/walk.ts';

it.each(named)('takes every global flag as it runs: %s', (_, command) => takesEveryFlag(command));

it.each(named)('fails with one line of JSON on stderr, and nothing on stdout: %s', (_, command) =>
  failsInJson(command),
);

it.each(allRuns)('writes an object a line on stderr, the error last, %s: %s', (shape, _, command) =>
  writesObjects(shape, command),
);

describe('no question', () => {
  it.each(named)('is asked without a terminal: %s', (_, command) => asksNothing(command, false));

  it.each(named)('is asked at a terminal with --no-input: %s', (_, command) => asksNothing(command, true));
});

describe('no key', () => {
  it.each(keepingSecrets)('is in what it prints, even where the service echoes one: %s', (_, command) =>
    keepsEchoedKeys(command),
  );

  it.each(keepingSecrets)('of the environment is in what it prints: %s', (_, command) =>
    keepsKeysOfEnvironment(command),
  );
});
