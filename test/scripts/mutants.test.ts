import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const { mutants } = await import(resolve('scripts/mutants/list.mjs'));
const { rules } = await import(resolve('scripts/mutants/rules.mjs'));
const { problemsOf } = await import(resolve('scripts/mutants/problems.mjs'));

it('every fault of the list can be planted, in code, at one place, and names a test that exists', () => {
  expect(mutants.length).toBeGreaterThan(150);
  expect(problemsOf(mutants, resolve('.'))).toEqual([]);
});

it('every rule names faults of the list', () => {
  const named: readonly string[] = rules.flatMap(({ faults }: { faults: readonly string[] }) => faults);
  const ids: readonly string[] = mutants.map(({ id }: { id: string }) => id);
  expect(named.length).toBeGreaterThan(80);
  expect(named.filter((id) => !ids.includes(id))).toEqual([]);
  expect(rules.filter(({ faults }: { faults: readonly string[] }) => faults.length === 0)).toEqual([]);
});

it('a fault is told that has no place or two, is in a comment or no code, or has the id or no test of another', () => {
  const root = mkdtempSync(join(tmpdir(), 'shopctl-faults-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, 'a.ts'), '// Adds one.\nexport const add = (a: number): number => a + 1;\n');
  writeFileSync(join(root, 'a.test.ts'), '');
  const fault = { id: 'subtracts', file: 'a.ts', from: 'a + 1', to: 'a - 1', test: 'a.test.ts' };
  const of = (changes: object) => problemsOf([{ ...fault, ...changes }], root);
  expect(of({})).toEqual([]);
  expect(of({ from: 'a + 2' })).toEqual(['subtracts: a.ts: nothing read: a + 2']);
  expect(of({ from: 'number' })).toEqual(['subtracts: a.ts: 2 places read: number']);
  expect(of({ from: 'Adds one', to: 'Subtracts one' })).toEqual([
    'subtracts: a.ts: only a comment or a type is changed',
  ]);
  expect(of({ to: 'a -' })).toEqual([expect.stringContaining('a.ts: is no source any more')]);
  expect(of({ file: 'b.ts' })).toEqual([expect.stringContaining('no such file')]);
  expect(of({ test: 'b.test.ts' })).toEqual(['subtracts: b.test.ts is missing']);
  expect(problemsOf([fault, { ...fault, to: 'a' }], root)).toEqual(['subtracts: the id is listed twice']);
});
