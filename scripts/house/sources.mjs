// Reads the sources for `npm run house`: their code and their texts apart, and what they import.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Comments, texts and regular expressions; a slash is a division behind a name, a number or a closing bracket. */
const tokens =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|(?<=[(,=:[!&|?{};\n]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;

function filesBelow(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? filesBelow(path) : /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** One source: its code without comments and texts, its texts, and the files that it imports. */
function read(path, root) {
  const whole = readFileSync(path, 'utf8');
  const texts = [];
  const code = whole.replace(tokens, (token) => {
    if (token.startsWith('/')) return token.startsWith('//') || token.startsWith('/*') ? '' : 'regex';
    // What stands in `${}` of a template is code.
    const inner = token.startsWith('`') ? [...token.matchAll(/\$\{([^}]*)\}/g)].map(([, part]) => part).join(';') : '';
    texts.push(token.startsWith('`') ? token.replaceAll(/\$\{[^}]*\}/g, '…').slice(1, -1) : token.slice(1, -1));
    return `'' ${inner}`;
  });
  const bare = whole.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const imports = [...bare.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)'(\.[^']+)'/g)].map(([, specifier]) =>
    relative(root, resolve(dirname(path), specifier)),
  );
  return { path: relative(root, path), whole, code, texts, imports };
}

/** Every source below a directory. */
export const sourcesOf = (root) => filesBelow(root).map((path) => read(path, root));
