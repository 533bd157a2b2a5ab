// Writes what crash points and power cuts found into its section of docs/proof-runs.md.
//
//   node scripts/crash-points/report.mjs --results FILE,FILE
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { writeSection } from '../proof.mjs';

const { values } = parseArgs({ options: { results: { type: 'string' } } });

const tried = values.results.split(',').flatMap((path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line)),
);

/** A row for each driver and call, or all calls of a kind: how many of the points of all runs were tried, and how many are wrong. */
function rowsOf(results, isCut) {
  const groups = new Map();
  for (const result of results) {
    const { run, driver, call, how } = result;
    const key = [driver, isCut ? 'power cut' : how, isCut ? how : call].join(' | ');
    const runs = groups.get(key) ?? new Map();
    groups.set(key, runs.set(run, [...(runs.get(run) ?? []), result]));
  }
  const sorted = [...groups].sort(([one], [other]) => one.localeCompare(other));
  return sorted.map(([key, runs]) => {
    const of = [...runs.values()].flat();
    const wrong = of.filter((result) => result.wrong.length > 0).length;
    const points = [...runs.values()].map((own) => Math.max(...own.map((result) => result.of)) + (isCut ? 1 : 0));
    const most = points.reduce((sum, each) => sum + each, 0);
    const reached = of.filter((result) => result.reached).length;
    // Which of its writes go to a file differs from run to run.
    const isCounted = isCut || of[0].call !== 'write' || of[0].how === 'KILL';
    return `| ${key} | ${runs.size} | ${isCounted ? `${reached} of ${most}` : reached} | ${wrong} |`;
  });
}

const isCut = ({ how }) => how !== how.toUpperCase();
const rows = [
  ...rowsOf(
    tried.filter((result) => !isCut(result)),
    false,
  ),
  ...rowsOf(tried.filter(isCut), true),
];
const wrong = tried.filter((result) => result.wrong.length > 0).length;
const commits = [...new Set(tried.map(({ commit }) => commit).filter((commit) => commit !== undefined))];
writeSection('crash points', [
  `${tried.filter(({ reached }) => reached).length} points, ${wrong} of them wrong, of the program at ${commits.join(', ')}:`,
  '',
  '| SQLite by | What befell it | Where | Runs | Tried | Wrong |',
  '| --- | --- | --- | --- | --- | --- |',
  ...rows,
]);
