import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vitest/node';
import { groupIndex } from '../../../src/cli/help/group-index.ts';

/** A text of the program that names a command which a person may copy. */
export interface Template {
  /** Its file below `src`. */
  readonly file: string;
  /** Its fixed pieces; between two of them is a value. */
  readonly pieces: readonly string[];
}

const source = fileURLToPath(new URL('../../../src', import.meta.url));

/** Texts that are read, not followed: what stands in help, in the reference and in scripts for shells. */
const helping = /^(?:cli\/(?:help|generate|complete)|contract\/openapi)\/|^actions\/discovery\/completion\.ts$/;
const helpingFields = new Set(['examples', 'description', 'summary']);

const commands = groupIndex.map(({ name }) => name).join('|');
const named = new RegExp(`(?:^|[^\\w-])shopctl (?:(?:${commands}|help)\\b|\u0000)`);

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** The fixed pieces of a literal; undefined for any other node. */
function piecesOf(node: Node): string[] | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return [node.value];
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return undefined;
  return node.quasis.map(({ value }: { value: { cooked: string } }) => value.cooked);
}

function* literals(node: unknown): Generator<string[]> {
  if (Array.isArray(node)) for (const one of node) yield* literals(one);
  if (!isNode(node)) return;
  const { key } = node;
  if (node.type === 'Property' && isNode(key) && helpingFields.has(String(key.name))) return;
  const pieces = piecesOf(node);
  if (pieces !== undefined) yield pieces;
  for (const [field, value] of Object.entries(node)) if (field !== 'quasis') yield* literals(value);
}

/** Every template of a printed command in the sources. */
export function templatesInSource(): Template[] {
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(source, join(entry.parentPath, entry.name)));
  return files
    .filter((file) => !helping.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(source, file), 'utf8');
      if (!text.includes('shopctl ')) return [];
      const tree = parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
      return [...literals(tree)]
        .filter((pieces) => named.test(pieces.join('\u0000')))
        .map((pieces) => ({ file, pieces }));
    });
}
