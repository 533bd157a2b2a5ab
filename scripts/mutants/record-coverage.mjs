// A setup file of vitest: writes down which lines of src each file of tests has run, in the process of the tests.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach } from 'vitest';

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The numbers of one place of a source map: each may go over several digits, its sign is the lowest bit. */
function numbersOf(text) {
  const numbers = [];
  let [value, shift] = [0, 0];
  for (const digit of text) {
    const bits = digits.indexOf(digit);
    value += (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}

/** Where each mapped place of a script stands, in its order, and the line of the source that it comes from. */
function placesIn(script) {
  const [, encoded] = /\/\/# sourceMappingURL=data:application\/json[^,]*;base64,([\w+/=]+)\s*$/m.exec(script) ?? [];
  if (encoded === undefined) return [];
  const { mappings } = JSON.parse(Buffer.from(encoded, 'base64').toString());
  const places = [];
  let [begin, source] = [0, 0];
  for (const line of mappings.split(';')) {
    let column = 0;
    for (const text of line.split(',')) {
      const [columns, , lines] = numbersOf(text);
      if (columns === undefined) continue;
      column += columns;
      if (lines === undefined) continue;
      source += lines;
      places.push({ at: begin + column, line: source + 1 });
    }
    begin = script.indexOf('\n', begin) + 1;
  }
  return places;
}

/** The lines that were run: of ranges that hold one another, the innermost says how often. */
function linesRun(places, functions) {
  const counts = new Uint8Array(places.length);
  const placeFrom = (offset) => {
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[middle].at < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const ranges = functions.flatMap((one) => one.ranges);
  ranges.sort((one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset);
  for (const { startOffset, endOffset, count } of ranges)
    counts.fill(count > 0 ? 1 : 0, placeFrom(startOffset), placeFrom(endOffset));
  return [...new Set(places.filter((_, index) => counts[index] > 0).map(({ line }) => line))];
}

function started() {
  const session = new Session();
  session.connect();
  session.post('Debugger.enable');
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return { session, places: new Map() };
}

// Many files of tests share a process, and what it has loaded.
globalThis.coverageOfTests ??= started();
const { session, places } = globalThis.coverageOfTests;

/** What the inspector answers: of its own thread, it answers at once. */
function asked(method, input = {}) {
  let answer;
  session.post(method, input, (error, result) => {
    if (error !== null) throw new Error(error.message);
    answer = result;
  });
  return answer;
}

const sources = join(process.cwd(), 'src/');
const pathOf = (url) => (url.startsWith('file:') ? fileURLToPath(url) : url);
let test;

beforeEach(({ task }) => {
  test = task.file.filepath;
});

afterAll(() => {
  const files = {};
  for (const { url, scriptId, functions } of asked('Profiler.takePreciseCoverage').result) {
    const path = pathOf(url).split('?')[0];
    if (!path.startsWith(sources)) continue;
    if (!places.has(scriptId)) {
      const { scriptSource } = asked('Debugger.getScriptSource', { scriptId });
      places.set(scriptId, placesIn(scriptSource));
    }
    const lines = linesRun(places.get(scriptId), functions);
    if (lines.length > 0) files[path.slice(sources.length - 4)] = lines;
  }
  if (test === undefined) return;
  const name = test.slice(process.cwd().length + 1);
  const to = createHash('sha256').update(name).digest('hex').slice(0, 16);
  writeFileSync(join(process.env.SHOPCTL_COVERAGE, `${to}.json`), JSON.stringify({ test: name, files }));
});
