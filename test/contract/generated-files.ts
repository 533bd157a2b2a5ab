import { readFileSync } from 'node:fs';
import { allOperations } from '../../src/contract/areas.ts';
import { type Credential, operationPath } from '../../src/contract/operation.ts';
import { contractTables } from './contract-tables.ts';
import { readTable } from './read-table.ts';
import { recordSchemas } from './record-schemas.ts';

/** The credentials by the words of `operations.tsv`. */
export const credentialsByWords: Readonly<Record<string, Credential>> = {
  'shop API key': 'shop-api-key',
  'API key': 'partner-api-key',
  'shop key': 'shop-key',
};

/** The list of operations with a row for each that it lacks; it changes none, since it is what the others are held against. */
async function operationsList(): Promise<string> {
  const listed = new Set(readTable('operations.tsv').map(({ path }) => path));
  const rows = (await allOperations())
    .filter(({ id }) => !listed.has(operationPath(id)))
    .map(({ id, credential, effect }) => {
      const [, family = '', area = '', name = ''] = /^(\w+)\.(\w+)\/(\w+)$/.exec(id) ?? [];
      const [key = ''] = Object.entries(credentialsByWords).find(([, kind]) => kind === credential) ?? [];
      const see = 'see the section';
      return `${[family, area, name, operationPath(id), key, effect, see, see].join('\t')}\n`;
    });
  return [readFileSync('test/contract/operations.tsv', 'utf8'), ...rows].join('');
}

/** The list of records with each field that it lacks, behind the others of its record; it removes and changes none. */
function recordsList(): string {
  const text = readFileSync('test/contract/records.tsv', 'utf8');
  const [title, header, ...rows] = text.replace(/\n$/, '').split('\n');
  const completed = rows.map((row) => {
    const [record = '', required = '', fields = '', settled = ''] = row.split('\t');
    const named = new Set([...fields.split(', '), ...settled.split(', ')]);
    const added = Object.keys(recordSchemas[record]?.properties ?? {}).filter((name) => !named.has(name));
    const all = [...(fields === '' ? [] : [fields]), ...added].join(', ');
    return [record, required, all, settled].join('\t');
  });
  return [title, header, ...completed, ''].join('\n');
}

/** The contract's lists and its page of tables as the declarations want them, by path: `npm run generate` writes them. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['test/contract/operations.tsv', await operationsList()],
    ['test/contract/records.tsv', recordsList()],
    ['docs/contract-tables.md', await contractTables()],
  ]);
}
