// What goes with the executables: checksums, licences, and the list of what is in them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** The packages whose code is in the build, as `dist/LICENSES.txt` names them at the head of each text. */
export function packagesOf(licences) {
  const [, ...parts] = `\n\n${'-'.repeat(80)}\n\n${licences.split('\n\n').slice(1).join('\n\n')}`.split(
    `\n\n${'-'.repeat(80)}\n\n`,
  );
  return parts.map((part) => {
    const [, name, version, licence] = /^(\S+) (\S+?)(?:, (.*))?$/.exec(part.split('\n', 1)[0]) ?? [];
    if (name === undefined) throw new Error(`no package is named in ${JSON.stringify(part.slice(0, 80))}`);
    return { name, version, ...(licence === undefined ? {} : { licence }) };
  });
}

/** One text with our licence, that of Node, and those of the packages in the build. */
export function allLicences({ root, dist, node }) {
  const read = (...parts) => readFileSync(join(...parts), 'utf8').trim();
  const line = `\n\n${'='.repeat(80)}\n\n`;
  return `${[
    `shopctl\n\n${read(root, 'LICENSE')}`,
    read(dist, 'LICENSES.txt'),
    `The executables contain Node.js.\n\n${read(node, 'LICENSE')}`,
  ].join(line)}\n`;
}

/** A UUID that names this text and no other. */
function uuidOf(text) {
  const digits = sha256(text);
  const variant = ((Number.parseInt(digits[16], 16) & 3) | 8).toString(16);
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
  ];
  return [...parts, digits.slice(20, 32)].join('-');
}

/** What is in the executables, in CycloneDX: the packages in the build, Node, and what Node says that it contains. */
export function billOfMaterials({ name, version, license, dist, nodeProgram, node, files }) {
  const versions = JSON.parse(
    execFileSync(nodeProgram, ['-p', 'JSON.stringify(process.versions)'], { encoding: 'utf8' }),
  );
  const inNode = Object.entries(versions).filter(([part]) => !['node', 'modules', 'napi'].includes(part));
  const library = ({ name, version, licence }) => ({
    type: 'library',
    'bom-ref': `pkg:npm/${name.replace('@', '%40')}@${version}`,
    name,
    version,
    ...(licence === undefined
      ? {}
      : { licenses: [/[\s(]/.test(licence) ? { expression: licence } : { license: { id: licence } }] }),
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  });
  const components = [
    ...packagesOf(readFileSync(join(dist, 'LICENSES.txt'), 'utf8')).map(library),
    {
      type: 'application',
      'bom-ref': `pkg:generic/node@${node}`,
      name: 'node',
      version: node,
      licenses: [{ license: { id: 'MIT' } }],
      purl: `pkg:generic/node@${node}`,
      components: inNode.sort().map(([part, its]) => ({ type: 'library', name: part, version: its })),
    },
  ];
  const self = `pkg:npm/${name}@${version}`;
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': self,
        name,
        version,
        licenses: [{ license: { id: license } }],
        purl: self,
        components: files.map(({ file, hash }) => ({
          type: 'file',
          name: file,
          hashes: [{ alg: 'SHA-256', content: hash }],
        })),
      },
    },
    components,
    dependencies: [{ ref: self, dependsOn: components.map((component) => component['bom-ref']) }],
  };
  const text = JSON.stringify(bill);
  const { bomFormat, specVersion, ...rest } = bill;
  return `${JSON.stringify({ bomFormat, specVersion, serialNumber: `urn:uuid:${uuidOf(text)}`, ...rest }, null, 2)}\n`;
}
