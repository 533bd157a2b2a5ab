// The tables of docs/proof.md, which the runs write themselves.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = `${root}docs/proof.md`;

const git = (...words) => spawnSync('git', words, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? '';

/** Which commit the program is of, short, with a `+` if its sources were changed since; empty outside a clone. */
export const commitHere = () =>
  `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '--', 'src', 'scripts', 'test') === '' ? '' : '+'}`;

/** Where a section of the page begins and ends; throws if there is none. */
function sectionOf(text, name) {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  if (from < begin.length || to < from) throw new Error(`${page} has no section ${name}`);
  return { from, to };
}

/** Replaces the lines of a section. */
export function writeSection(name, lines) {
  const text = readFileSync(page, 'utf8');
  const { from, to } = sectionOf(text, name);
  writeFileSync(page, `${text.slice(0, from)}${lines.join('\n')}\n${text.slice(to)}`);
}

/** Writes the row of a run into the table of a section, in place of the row of an equal run with the same Node. */
export function recordRun(section, run, result, node = process.versions.node) {
  const text = readFileSync(page, 'utf8');
  const { from, to } = sectionOf(text, section);
  const head = ['| Run | Node | When | Result |', '| --- | --- | --- | --- |'];
  const rows = text
    .slice(from, to)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !head.includes(line));
  const key = `| ${run} | ${node} |`;
  const row = `${key} ${new Date().toISOString().slice(0, 10)}, ${commitHere()} | ${result} |`;
  const at = rows.findIndex((line) => line.startsWith(key));
  writeSection(section, [...head, ...(at < 0 ? [...rows, row] : rows.with(at, row))]);
}
