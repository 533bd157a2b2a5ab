import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { RowStore } from '../../src/cod/classes.ts';

async function read<Row>(rowStore: RowStore<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of rowStore.rows()) rows.push(row);
  return rows;
}

it.each([3, 5_000])('%i rows come back in their order, twice, and no file is left beside them', async (count) => {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-spool-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  vi.stubEnv('TMPDIR', directory);
  onTestFinished(() => void vi.unstubAllEnvs());
  const all = Array.from({ length: count }, (_, index) => ({ index, text: `Đơn\n${'ơx'.repeat(500)}` }));
  const rowStore = new RowStore<(typeof all)[number]>();
  for (let from = 0; from < count; from += 500) {
    await rowStore.add(all.slice(from, from + 500));
    expect(readdirSync(directory)).toEqual([]);
  }
  expect(await read(rowStore)).toEqual(all);
  expect(await read(rowStore)).toEqual(all);
  await rowStore.close();
  expect(await read(rowStore)).toEqual([]);
});
