// Prints how the house stands: files, circles, arrows, casts, long functions, words, lines of documents and by subject. A figure may only fall:
// each has a ceiling in ceilings.json, beside the target where it is going to.
//   npm run house                 prints the figures; fails if one is above its ceiling
//   npm run house -- --places     prints each place as well
//   npm run house -- --lower      writes down the figures that have fallen
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { handWrittenDocs, sumOf } from './docs.mjs';
import { figuresOf, linesOf } from './figures.mjs';
import { sourcesOf } from './sources.mjs';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const file = 'scripts/house/ceilings.json';
const words = process.argv.slice(2);
const ceilings = JSON.parse(await readFile(file, 'utf8'));
const sources = sourcesOf('src');
if (sources.length < 100) throw new Error(`only ${sources.length} sources were seen`);

const row = (cells) =>
  `${cells[0].padEnd(32)}${cells
    .slice(1)
    .map((cell) => String(cell).padStart(9))
    .join('')}\n`;
process.stdout.write(row(['figure', 'now', 'ceiling', 'target']));
/** A figure beside its ceiling, and its places where they are asked for or are too many. */
function show(name, now, places, lowest = now) {
  const { ceiling, target } = ceilings[name];
  const isOver = now > ceiling;
  process.stdout.write(row([name, now, ceiling, target]));
  if (words.includes('--places') || isOver) for (const place of places) process.stdout.write(`  ${place}\n`);
  if (isOver) process.exitCode = 1;
  if (words.includes('--lower')) ceilings[name].ceiling = Math.min(ceiling, lowest);
}
for (const [name, places] of Object.entries(figuresOf(sources))) show(name, places.length, places);
const docs = handWrittenDocs();
const pages = docs.map(({ path, lines }) => `${path}: ${lines}`);
// By steps, so that a sentence more is not a page less.
show('lines of hand-written docs', sumOf(docs), pages, Math.ceil(sumOf(docs) / 50) * 50);
if (words.includes('--lower')) await writeFile(file, `${JSON.stringify(ceilings, null, 2)}\n`);
process.stdout.write('\nlines by subject\n');
for (const [subject, lines] of linesOf(sources)) process.stdout.write(row([subject, lines]));
