import { entriesOf } from '../../domain/json/keys-of.ts';
import { completionScript, type Shell, shells } from '../complete/scripts.ts';
import { loadTree } from '../tree/tree.ts';
import { manPages } from './man.ts';
import { mirrorPage } from './mirror.ts';
import { referencePages } from './reference.ts';
import { reportsPage } from './reports.ts';

/** Directories that contain only generated files. */
export const generatedDirectories = ['completions', 'docs/reference', 'man'] as const;

/** Every generated file of the repository, by path. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const tree = await loadTree();
  const scripts = entriesOf<Shell, string>(shells);
  const below = (directory: string, pages: Map<string, string>) =>
    [...pages].map(([name, text]): [string, string] => [`${directory}/${name}`, text]);
  return new Map([
    ...(await Promise.all(
      scripts.map(
        async ([shell, name]): Promise<[string, string]> => [`completions/${name}`, await completionScript(shell)],
      ),
    )),
    ['docs/mirror.md', mirrorPage()],
    ['docs/reports.md', reportsPage()],
    ...below('docs/reference', referencePages(tree)),
    ...below('man', manPages(tree)),
  ]);
}
