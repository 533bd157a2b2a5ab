// The options of the scripts that prove promises: usage where it is asked for, and a line for what is not understood.

import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { commitHere } from './proof.mjs';

/** The values of the options; prints the usage and ends the process for --help, or if an option is not known. */
export function optionsOf(usage, options) {
  try {
    const { values } = parseArgs({ options: { ...options, help: { type: 'boolean', short: 'h' } } });
    if (values.help !== true) return values;
    process.stdout.write(usage);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
}

/** A whole number, or the end of the process. */
export function numberIn(name, text) {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0) return number;
  process.stderr.write(`--${name} is a whole number, not ${text}\n`);
  process.exit(2);
}

/** Adds what came of a part of a run to a file, of which `npm run proof-report` makes rows of docs/proof-runs.md. */
export function addResult(file, result) {
  if (file === undefined) return;
  appendFileSync(file, `${JSON.stringify({ commit: commitHere(), ...result })}\n`);
}
