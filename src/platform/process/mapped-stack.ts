import type { SourceMap } from 'node:module';

/** What the build adds to a map: where it wrote an escape in place of a letter, `[line, column, columns more]`. */
interface BuiltMap {
  readonly x_escapes?: readonly (readonly [number, number, number])[];
}

interface Place {
  readonly name: string | undefined;
  readonly file: string;
  readonly line: number;
}

/** `at NAME (FILE:LINE:COLUMN)` or `at FILE:LINE:COLUMN`, as V8 writes a frame. */
const frame = /^(\s+at )(?:(.+?) \()?(?:file:\/\/)?(\/.+?|[A-Za-z]:\\.+?):(\d+):(\d+)\)?$/;

/** Finds where code of a built file stood in the sources; undefined for a file without a map beside it. */
type Find = (file: string, line: number, column: number) => Place | undefined;

function findIn(maps: Map<string, ReturnType<typeof openMap>>): Find {
  return (file, line, column) => {
    if (!maps.has(file)) maps.set(file, openMap(file));
    return maps.get(file)?.(line, column);
  };
}

/**
 * The map of a built file. Code that was compiled ahead keeps the name that the file had during the build: if the build
 * was moved since then, its map lies beside this one.
 */
function mapOf(file: string): string {
  const { existsSync } = process.getBuiltinModule('node:fs');
  const { basename } = process.getBuiltinModule('node:path');
  const { fileURLToPath } = process.getBuiltinModule('node:url');
  const map = `${file}.map`;
  return existsSync(map) ? map : fileURLToPath(new URL(`./${basename(map)}`, import.meta.url));
}

function openMap(file: string): ((line: number, column: number) => Place | undefined) | undefined {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const { SourceMap: Mapped } = process.getBuiltinModule('node:module');
  let map: SourceMap;
  let escapes: NonNullable<BuiltMap['x_escapes']>;
  try {
    const text = readFileSync(mapOf(file), 'utf8');
    const { x_escapes = [] }: BuiltMap = JSON.parse(text);
    escapes = x_escapes;
    map = new Mapped(JSON.parse(text));
  } catch {
    return undefined;
  }
  return (line, column) => {
    const longer = escapes.reduce((sum, [row, at, more]) => (row === line && at < column ? sum + more : sum), 0);
    const entry = map.findEntry(line - 1, column - 1 - longer);
    if (!('originalSource' in entry)) return undefined;
    const { originalSource, originalLine } = entry;
    const name = 'name' in entry && typeof entry.name === 'string' ? entry.name : undefined;
    return { name, file: originalSource.replace(/^.*?(?=(?:src|node_modules)\/)/, ''), line: originalLine + 1 };
  };
}

/** Whether a file is of this build, and has no map beside it. */
function isWithoutMap(file: string): boolean {
  const { existsSync } = process.getBuiltinModule('node:fs');
  const { dirname } = process.getBuiltinModule('node:path');
  const { fileURLToPath } = process.getBuiltinModule('node:url');
  const built = fileURLToPath(new URL('.', import.meta.url));
  return file.endsWith('.cjs') && `${dirname(file)}/` === built && !existsSync(mapOf(file));
}

/**
 * A stack of the minified build in the words of the sources: the file and line of each frame, and the name of its
 * function as its caller wrote it. Frames of files without a map stay as they are; a package has no maps, and a last line says
 * that they are in the `archive` of its release.
 */
export function mappedStack(stack: string, archive?: string): string {
  const find = findIn(new Map());
  const lines = stack.split('\n');
  const frames = lines.map((line) => frame.exec(line));
  const places = frames.map((parts) => {
    const [, , , file, row, column] = parts ?? [];
    return file === undefined ? undefined : find(file, Number(row), Number(column));
  });
  const mapped = lines.map((line, index) => {
    const place = places[index];
    if (place === undefined) return line;
    const [, at, minified] = frames[index] ?? [];
    const name = places[index + 1]?.name ?? minified;
    const where = `${place.file}:${place.line}`;
    return name === undefined ? `${at}${where}` : `${at}${name} (${where})`;
  });
  const unmapped = frames.map((parts) => parts?.[3]).find((file) => file !== undefined && isWithoutMap(file));
  if (archive === undefined || unmapped === undefined) return mapped.join('\n');
  const { dirname } = process.getBuiltinModule('node:path');
  return [
    ...mapped,
    `The places are in minified code: ${archive} of the release, unpacked in ${dirname(unmapped)}, names those of the sources.`,
  ].join('\n');
}
