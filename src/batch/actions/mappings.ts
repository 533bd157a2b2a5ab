import { basename, extname, join } from 'node:path';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import { exactIntegers } from '../../domain/json/values.ts';
import { asWritten, doubtfulIn, type WrittenAt } from '../../domain/json/written-numbers.ts';
import { FileError } from '../../platform/files/files.ts';
import { SheetError } from '../../sheets/formats/sheet.ts';
import { type Mapping, mappingContent, mappingOf } from '../../sheets/mapping/mapping.ts';
import { say } from '../texts.ts';
import { pathFrom } from './plan/plan-file.ts';

type MappingPorts = Pick<Ports, 'files' | 'places' | 'workingDirectory'>;

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,63}$/u;
const MOST_LETTERS = 40;

/** The folder of the configuration in which mappings of a kind are saved. */
export type MappingFolder = 'mappings' | 'layouts';

const directoryOf = ({ places }: MappingPorts, folder: MappingFolder) => join(places.config, folder);

type Parse<Result> = (value: unknown, path: string) => Result;

async function readYaml<Result>(path: string, { files }: MappingPorts, read: Parse<Result>): Promise<Result> {
  const { parseYaml } = await import('../../platform/files/parse-yaml.ts');
  const parsed = await parseYaml(await files.read(path));
  if (!parsed.ok || parsed.documents.length > 1) throw new SheetError(say().mapping.notYaml({ path }));
  const [document] = parsed.documents;
  const written: WrittenAt = (at) => document?.written.get(JSON.stringify(at));
  const value = exactIntegers(document?.value);
  const doubtful = doubtfulIn(value, written);
  if (doubtful !== undefined) throw new SheetError(`${path}: ${doubtful.path.join('.')} ${doubtful.message}`);
  return read(asWritten(value, written), path);
}

/**
 * What is saved in a folder under a name, otherwise a file, as `read` understands it. Throws a FileError and a
 * SheetError.
 */
export async function savedOrFile<Result>(
  name: string,
  ports: MappingPorts,
  folder: MappingFolder,
  read: Parse<Result>,
): Promise<Result> {
  if (NAME.test(name)) {
    try {
      return await readYaml(join(directoryOf(ports, folder), `${name}.yaml`), ports, read);
    } catch (error) {
      if (!(error instanceof FileError) || error.code !== 'ENOENT') throw error;
    }
  }
  return readYaml(pathFrom(ports.workingDirectory, name), ports, read);
}

/** The mapping saved under a name, otherwise that of a file. Throws a FileError and a SheetError. */
export const mappingNamed = (name: string, ports: MappingPorts): Promise<Mapping> =>
  savedOrFile(name, ports, 'mappings', mappingOf);

/** All saved mappings with their names; unreadable ones are left out. */
export const savedMappings = (ports: MappingPorts): Promise<(readonly [string, Mapping])[]> =>
  allSaved(ports, 'mappings', mappingOf);

/** Everything that is saved in a folder, with its names; what cannot be read is left out. */
export async function allSaved<Result>(
  ports: MappingPorts,
  folder: MappingFolder,
  read: Parse<Result>,
): Promise<(readonly [string, Result])[]> {
  const directory = directoryOf(ports, folder);
  const names = (await ports.files.list(directory)).filter((name) => name.endsWith('.yaml'));
  const all = await Promise.all(
    names.map((file) =>
      readYaml(join(directory, file), ports, read).then(
        (saved) => [[file.slice(0, -'.yaml'.length), saved] as const],
        () => [],
      ),
    ),
  );
  return all.flat();
}

/** Whether a mapping can have this name. */
export const isMappingName = (name: string): boolean => NAME.test(name);

/** A name that a mapping of a file can have. */
export const mappingNameFor = (file: string): string =>
  basename(file, extname(file))
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}_-]+/gu, '-')
    .replaceAll(/^[_-]+|-+$/g, '')
    .slice(0, MOST_LETTERS) || 'sheet';

/** Refuses a name that no mapping can have and, unless it may be replaced, one that a saved mapping has. */
export async function refuseUnsaveable(
  name: string,
  replace: boolean,
  ports: MappingPorts,
  folder: MappingFolder = 'mappings',
): Promise<void> {
  if (!NAME.test(name)) {
    throw new Refusal('mapping_name', say().mapping.badName({ name }));
  }
  if (replace || !(await ports.files.list(directoryOf(ports, folder))).includes(`${name}.yaml`)) return;
  throw new Refusal('mapping_exists', say().mapping.exists({ name }));
}

/** Saves a mapping under a name that `refuseUnsaveable` accepted; returns its file. Throws a FileError. */
export async function saveMapping(
  name: string,
  mapping: Mapping,
  ports: MappingPorts,
  folder: MappingFolder = 'mappings',
): Promise<string> {
  const { stringify } = await import('yaml');
  const path = join(directoryOf(ports, folder), `${name}.yaml`);
  await ports.files.write(path, stringify(mappingContent(mapping)));
  return path;
}
