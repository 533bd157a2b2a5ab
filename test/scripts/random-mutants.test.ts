import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const { chosenOf, mutationsOf } = await import(resolve('scripts/mutants/random-mutants.mjs'));
const { problemsOf } = await import(resolve('scripts/mutants/problems.mjs'));

interface Mutation {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

/** What a source may become, by the kind of change. */
const of = (text: string, file = 'a.ts') =>
  mutationsOf(file, text).map(({ kind, start, end, to }: Mutation) => [
    kind,
    `${text.slice(0, start)}${to}${text.slice(end)}`,
  ]);

it('changes conditions, boundaries, sums, truths, calls, texts, methods and answers that may be missing', () => {
  expect(of('if (a) b = 1;')).toEqual([['condition', 'if (!(a)) b = 1;']]);
  expect(of('c = a ? 1 : 2;')).toEqual([['condition', 'c = !(a) ? 1 : 2;']]);
  expect(of('c = a && b || d;').map(([, text]: string[]) => text)).toEqual(['c = a || b || d;', 'c = a && b && d;']);
  expect(of('if (a === b) c = 1;')).toEqual([['condition', 'if (a !== b) c = 1;']]);
  expect(of('c = a < b;')).toEqual([['boundary', 'c = a <= b;']]);
  expect(of('c = a >= b;')).toEqual([['boundary', 'c = a > b;']]);
  expect(of('c = a + b % 2;')).toEqual([
    ['arithmetic', 'c = a - b % 2;'],
    ['arithmetic', 'c = a + b * 2;'],
  ]);
  expect(of('c -= a;')).toEqual([['arithmetic', 'c += a;']]);
  expect(of('c = true;')).toEqual([['boolean', 'c = false;']]);
  expect(of('await a.b(c);')).toEqual([['statement', ';']]);
  expect(of('a.push(b);')).toEqual([
    ['statement', ';'],
    ['method', 'a.unshift(b);'],
  ]);
  expect(of("c = 'x';")).toEqual([['text', "c = '';"]]);
  expect(of('c = a.some(b);')).toEqual([['method', 'c = a.every(b);']]);
  expect(of('c = a.filter(b).length;')).toEqual([['method', 'c = a.length;']]);
  const optional = 'function f(a: string): number | undefined { return g(a); }';
  expect(of(optional)).toEqual([['return', optional.replace('g(a)', 'undefined')]]);
  expect(of(optional.replace(' | undefined', ''))).toEqual([]);
});

it('changes neither types, nor the names of modules and fields, nor a sum of texts', () => {
  for (const text of [
    "import { a } from './a.ts';",
    "import type { A } from './a.ts';",
    "export { a } from './a.ts';",
    "export * from './a.ts';",
    "const load = () => import('./a.ts');",
    "type A = 'a' | 'b' | true;",
    "interface A { readonly a: 'a'; b(c: 'c'): asserts c is 'c' }",
    "declare const a: 'a';",
    "const a: Map<'a', true> = new Map<'a', true>();",
    "const a = b as 'a' | true;",
    "const a = b satisfies Record<'a', true>;",
    "function f<A extends 'a' = 'a'>(a: A, b?: 'b'): 'c' { return a as never; }",
    "class A extends B<'a'> implements C<'c'> { readonly a: 'a' | true = b; constructor() { super(b); } }",
    "abstract class A { abstract a(): 'a'; declare b: true; }",
    "const a = { 'b-c': d };",
    "'use strict';",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
    'const a = b + `c${d}`;',
    'const a = `b` + c + d;',
    '// if (a < b) c(true);',
  ])
    expect([text, of(text)]).toEqual([text, []]);
  // A value that has a type is one.
  expect(of("const a = (b < c) as 'a';")).toHaveLength(1);
  expect(of("const a = { b: 'c' } satisfies Record<'a', true>;")).toHaveLength(1);
  expect(of('const a = <p title="b">{c < d}</p>;', 'a.tsx')).toEqual([
    ['boundary', 'const a = <p title="b">{c <= d}</p>;'],
  ]);
});

it.each([
  'src/sheets/rows/gathering.ts',
  'src/cod/times-sql.ts',
  'src/console/page/main.tsx',
  'src/client/exchange.ts',
])('makes code of %s that can be run, and is not the same', (file) => {
  const text = readFileSync(file, 'utf8');
  const faults = mutationsOf(file, text).map(({ start, end, to }: Mutation, id: number) => {
    return { id: String(id), file, start, from: text.slice(start, end), to, test: 'test/scripts/mutants.test.ts' };
  });
  expect(faults.length).toBeGreaterThan(5);
  expect(problemsOf(faults, resolve('.'))).toEqual([]);
});

it('chooses by the seed, the same each time, each once, and of no kind much more than of others', () => {
  const text = readFileSync('src/sheets/rows/gathering.ts', 'utf8');
  const all: Mutation[] = mutationsOf('a.ts', text);
  const chosen: Mutation[] = chosenOf(all, 30, 7);
  expect(chosen).toEqual(chosenOf(mutationsOf('a.ts', text), 30, 7));
  expect(new Set(chosen.map(({ start, end, to }) => `${start} ${end} ${to}`)).size).toBe(30);
  expect(chosenOf(all, 30, 8)).not.toEqual(chosen);
  expect(new Set(chosen.map(({ kind }) => kind))).toEqual(new Set(all.map(({ kind }) => kind)));
  expect(chosenOf(all, 10_000, 1)).toHaveLength(all.length);
});
