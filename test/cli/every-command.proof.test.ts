/* Every command under every claim, but for those of `npm test`, which has one of each shape of command line. */
import { describe, it } from 'vitest';
import {
  asksNothing,
  failsInJson,
  keepingSecrets,
  keepsEchoedKeys,
  keepsKeysOfEnvironment,
  takesEveryFlag,
} from './every-command/claims.ts';
import { otherRuns, writesObjects } from './every-command/stderr.ts';
import { isShown, named } from './every-command/walk.ts';

const others = named.filter(([, command]) => !isShown(command));
const othersKeepingSecrets = keepingSecrets.filter(([, command]) => !isShown(command));

it.each(others)('takes every global flag as it runs: %s', (_, command) => takesEveryFlag(command));

it.each(others)('fails with one line of JSON on stderr, and nothing on stdout: %s', (_, command) =>
  failsInJson(command),
);

it.each(otherRuns)('writes an object a line on stderr, the error last, %s: %s', (shape, _, command) =>
  writesObjects(shape, command),
);

describe('no question', () => {
  it.each(others)('is asked without a terminal: %s', (_, command) => asksNothing(command, false));

  it.each(others)('is asked at a terminal with --no-input: %s', (_, command) => asksNothing(command, true));
});

describe('no key', () => {
  it.each(othersKeepingSecrets)('is in what it prints, even where the service echoes one: %s', (_, command) =>
    keepsEchoedKeys(command),
  );

  it.each(othersKeepingSecrets)('of the environment is in what it prints: %s', (_, command) =>
    keepsKeysOfEnvironment(command),
  );
});
