import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** What a promise is tested by: a test, or a run of docs/proof.md. */
const layers = /`(test\/[\w./-]+)`|`npm run ([\w:-]+)`/g;

/** Sections that promise nothing: what is at stake, against whom, and what is left. */
const withoutPromises = ['What is worth protecting', 'From whom', 'What is not protected'];

const page = readFileSync('docs/security.md', 'utf8');
const { scripts, allowScripts } = JSON.parse(readFileSync('package.json', 'utf8'));

/** The promises of the page: a section each, but a paragraph of the keys, and a point of the writes and of the sandbox. */
const promises = page
  .split(/^## /m)
  .slice(1)
  .flatMap((section) => {
    const [title = '', ...rest] = section.split('\n');
    if (withoutPromises.includes(title)) return [];
    const text = rest.join('\n');
    if (title === 'Keys') return text.split('\n\n').filter((paragraph) => paragraph.trim() !== '');
    return /^Writes|^The sandbox/.test(title) ? text.split(/^- /m).slice(1) : [text];
  })
  .map((text) => ({ text, layers: [...text.matchAll(layers)] }));

it.each(promises)('a promise of docs/security.md names what tests it: $text', (promise) => {
  expect(promise.layers).not.toEqual([]);
  for (const [, test, run] of promise.layers) {
    if (test !== undefined) expect([test, existsSync(test)]).toEqual([test, true]);
    if (run !== undefined) expect(Object.keys(scripts)).toContain(run);
  }
});

it('each package is pinned by a hash, and those that may run scripts are named', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const installed = Object.entries<Readonly<Record<string, unknown>>>(packages).filter(([path]) => path !== '');
  expect(installed.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([]);
  const withScripts = installed.filter(([, { hasInstallScript, os }]) => hasInstallScript === true && os === undefined);
  expect(withScripts.map(([path]) => path.replace('node_modules/', '')).sort()).toEqual(
    Object.keys(allowScripts).sort(),
  );
});
