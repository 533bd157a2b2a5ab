// How long each report takes over a mirror of many orders, from the first line of the program to its end.
//
//   node bench/reports.mjs [--orders 1000000] [--base 50000] [--runs 5] [--data DIR] [--workspace postgres://…] [--prepare]
//
// The mirror is made once: in --data DIR, where it stays, else in a temporary directory. --prepare makes it and ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { largeMirror, median, withPeak } from './large-mirror.mjs';

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '1000000' },
    base: { type: 'string', default: '50000' },
    runs: { type: 'string', default: '5' },
    data: { type: 'string' },
    workspace: { type: 'string' },
    prepare: { type: 'boolean', default: false },
  },
});

/** What is asked for: every report, the longest table, days in another zone than that of the sums, and the day. */
const QUESTIONS = [
  ...['unreconciled', 'states', 'late', 'carriers', 'cod', 'sales', 'stock'].map((name) => ['report', name]),
  ['report', 'sales', '--since', '2025-01-01', '--by', 'week'],
  ['day'],
];

const directory = values.data ?? mkdtempSync(join(tmpdir(), 'shopctl-bench-'));
try {
  const { env, orders } = await largeMirror(directory, {
    orders: Number(values.orders),
    base: Number(values.base),
    workspace: values.workspace,
  });
  if (!values.prepare) {
    console.log(`${orders} orders; seconds inside of the process, the median of ${values.runs} runs and the longest`);
    const { measure } = withPeak(directory);
    for (const words of QUESTIONS) {
      const runs = Array.from({ length: Number(values.runs) }, () => measure([...words, '-o', 'json'], env));
      const seconds = runs.map((run) => run.seconds);
      const peak = Math.max(...runs.map(({ megabytes }) => megabytes));
      console.log(
        `${words.join(' ').padEnd(44)} ${median(seconds).toFixed(3)}  ${Math.max(...seconds).toFixed(3)} s (< 0.3)  peak ${peak.toFixed(0)} MiB`,
      );
    }
  }
} finally {
  if (values.data === undefined) rmSync(directory, { recursive: true, force: true });
}
