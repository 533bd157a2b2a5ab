// Prints how the house stands: files, circles, arrows, casts, long functions, words, and lines by subject. A figure may only fall:
// each has a ceiling in ceilings.json, beside the target where it is going to.
//   npm run house                 prints the figures; fails if one is above its ceiling
//   npm run house -- --places     prints each place as well
//   npm run house -- --lower      writes down the figures that have fallen
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
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
for (const [name, places] of Object.entries(figuresOf(sources))) {
  const { ceiling, target } = ceilings[name];
  const isOver = places.length > ceiling;
  process.stdout.write(row([name, places.length, ceiling, target]));
  if (words.includes('--places') || isOver) for (const place of places) process.stdout.write(`  ${place}\n`);
  if (isOver) process.exitCode = 1;
  if (words.includes('--lower')) ceilings[name].ceiling = Math.min(ceiling, places.length);
}
if (words.includes('--lower')) await writeFile(file, `${JSON.stringify(ceilings, null, 2)}\n`);
process.stdout.write('\nlines by subject\n');
for (const [subject, lines] of linesOf(sources)) process.stdout.write(row([subject, lines]));
