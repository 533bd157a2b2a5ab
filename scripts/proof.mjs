// The tables of docs/proof-runs.md, which the runs write themselves.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = `${root}docs/proof-runs.md`;

const git = (...words) => spawnSync('git', words, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? '';

/** Which commit the program is of, short, with a `+` if its sources were changed since; empty outside a clone. */
export const commitHere = () =>
  `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '--', 'src', 'scripts', 'test') === '' ? '' : '+'}`;

/** The page with the lines of a section replaced; throws if there is no such section. */
export function withSection(text, name, linesFrom) {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  if (from < begin.length || to < from) throw new Error(`docs/proof-runs.md has no section ${name}`);
  const lines = linesFrom(text.slice(from, to).split('\n').slice(0, -1));
  return `${text.slice(0, from)}${lines.map((line) => `${line}\n`).join('')}${text.slice(to)}`;
}

const head = ['| Run | Node | When | Result |', '| --- | --- | --- | --- |'];

/** The page with the row of a run in the table of a section, in place of the row of an equal run with the same Node. */
export const withRow = (text, section, { run, node, when, result }) =>
  withSection(text, section, (lines) => {
    const rows = lines.slice(head.length);
    const key = `| ${run} | ${node} |`;
    const row = `${key} ${when} | ${result} |`;
    const at = rows.findIndex((line) => line.startsWith(key));
    return [...head, ...(at < 0 ? [...rows, row] : rows.with(at, row))];
  });

/** Replaces the lines of a section of docs/proof-runs.md. */
export function writeSection(name, lines) {
  writeFileSync(
    page,
    withSection(readFileSync(page, 'utf8'), name, () => lines),
  );
}

/** Writes the row of a run into docs/proof-runs.md. */
export function recordRun(section, run, result, node = process.versions.node) {
  const when = `${new Date().toISOString().slice(0, 10)}, ${commitHere()}`;
  writeFileSync(page, withRow(readFileSync(page, 'utf8'), section, { run, node, when, result }));
}
