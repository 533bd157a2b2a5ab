// Makes a release: `npm run release -- 0.2.0` gives the Unreleased entries of CHANGELOG.md to the version, sets it in
// package.json and package-lock.json, commits, and tags the commit. Publishing is a step of its own.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const git = (...words) => execFileSync('git', words, { encoding: 'utf8' }).trim();
const [version = ''] = process.argv.slice(2);

function fail(message) {
  process.stderr.write(`release: ${message}\n`);
  process.exit(2);
}

if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) fail('which version? Type: npm run release -- X.Y.Z');
if (git('status', '--porcelain') !== '') fail('there are uncommitted changes; nothing was done');
if (git('tag', '--list', `v${version}`) !== '') fail(`v${version} exists already; nothing was done`);

const changelog = readFileSync('CHANGELOG.md', 'utf8');
const [, entries = ''] = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog) ?? [];
if (entries.trim() === '') fail('CHANGELOG.md has nothing under Unreleased; nothing was done');
const today = new Date().toISOString().slice(0, 10);
writeFileSync(
  'CHANGELOG.md',
  changelog.replace(/^## Unreleased\n/m, () => `## Unreleased\n\n## ${version} - ${today}\n`),
);
for (const file of ['package.json', 'package-lock.json']) {
  const content = JSON.parse(readFileSync(file, 'utf8'));
  content.version = version;
  if (content.packages?.[''] !== undefined) content.packages[''].version = version;
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}
git('commit', '--quiet', '--all', '--message', `Release ${version}`);
git('tag', '--annotate', `v${version}`, '--message', `shopctl ${version}`);
process.stdout.write(`v${version} is tagged. Next: .ci/run, git push --follow-tags, npm publish --provenance\n`);
