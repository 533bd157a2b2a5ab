// Writes what crash points and power cuts found into its section of docs/proof.md.
//
//   node scripts/crash-points/report.mjs --results FILE,FILE
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { results: { type: 'string' } } });
const page = fileURLToPath(new URL('../../docs/proof.md', import.meta.url));
const [begin, end] = ['<!-- crash points -->', '<!-- end of crash points -->'];

const tried = values.results.split(',').flatMap((path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line)),
);

/** A row for each run, driver and call, or all calls of a kind: how many of the points there were, and how many are wrong. */
function rowsOf(results, isCut) {
  const groups = new Map();
  for (const result of results) {
    const { run, driver, call, how } = result;
    const key = [run, driver, isCut ? 'power cut' : how, isCut ? how : call].join(' | ');
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return [...groups].map(([key, of]) => {
    const wrong = of.filter((result) => result.wrong.length > 0).length;
    const most = Math.max(...of.map((result) => result.of)) + (isCut ? 1 : 0);
    return `| ${key} | ${of.filter(({ reached }) => reached).length} of ${most} | ${wrong} |`;
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
const section = [
  begin,
  `${tried.filter(({ reached }) => reached).length} points, ${wrong} of them wrong:`,
  '',
  '| Run | SQLite by | What befell it | Where | Tried | Wrong |',
  '| --- | --- | --- | --- | --- | --- |',
  ...rows,
  end,
].join('\n');
const text = readFileSync(page, 'utf8');
const [from, to] = [text.indexOf(begin), text.indexOf(end)];
if (from < 0 || to < from) throw new Error(`${page} has no section for crash points`);
writeFileSync(page, `${text.slice(0, from)}${section}${text.slice(to + end.length)}`);
