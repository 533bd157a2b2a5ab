// Whether each fault of the list can be planted, and its test can be run: a list that is out of date proves nothing.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { changed } from './tree-copy.mjs';

/** A source as it is run, without comments and types. Throws if it is none. */
const codeOf = (file, text) =>
  transformSync(text, { loader: file.endsWith('x') ? 'tsx' : 'ts', logLevel: 'silent' }).code;

function problemOf(fault, root, sources) {
  const { file, test } = fault;
  if (!sources.has(file)) {
    const text = readFileSync(join(root, file), 'utf8');
    sources.set(file, { text, code: codeOf(file, text) });
  }
  const { text, code } = sources.get(file);
  const planted = changed(text, fault);
  try {
    // A test that cannot load the file is red whatever it tests.
    if (codeOf(file, planted) === code) return `${file}: only a comment or a type is changed`;
  } catch (error) {
    return `${file}: is no source any more: ${error.message}`;
  }
  return existsSync(join(root, test)) ? undefined : `${test} is missing`;
}

/** What is wrong with each fault that cannot be planted in a tree as it is listed. */
export function problemsOf(faults, root) {
  const sources = new Map();
  return faults.flatMap((fault, index) => {
    if (faults.findIndex(({ id }) => id === fault.id) < index) return [`${fault.id}: the id is listed twice`];
    try {
      const problem = problemOf(fault, root, sources);
      return problem === undefined ? [] : [`${fault.id}: ${problem}`];
    } catch (error) {
      return [`${fault.id}: ${error.message}`];
    }
  });
}
