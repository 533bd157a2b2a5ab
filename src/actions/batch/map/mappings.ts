import { join } from 'node:path';
import { FileError } from '../../../platform/files/files.ts';
import { SheetError } from '../../../sheets/formats/sheet.ts';
import { type Mapping, mappingContent, mappingOf } from '../../../sheets/mapping/mapping.ts';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../action/refusal.ts';
import { pathFrom } from '../plan/plan-file.ts';

type MappingPorts = Pick<Ports, 'files' | 'places' | 'workingDirectory'>;

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,63}$/u;

const directoryOf = ({ places }: MappingPorts) => join(places.config, 'mappings');

async function readMapping(path: string, { files }: MappingPorts): Promise<Mapping> {
  const { parse } = await import('yaml');
  const text = await files.read(path);
  try {
    return mappingOf(parse(text), path);
  } catch (error) {
    if (error instanceof SheetError) throw error;
    throw new SheetError(`${path} is not YAML`, { cause: error });
  }
}

/** The mapping saved under a name, otherwise that of a file. Throws a FileError and a SheetError. */
export async function mappingNamed(name: string, ports: MappingPorts): Promise<Mapping> {
  if (NAME.test(name)) {
    try {
      return await readMapping(join(directoryOf(ports), `${name}.yaml`), ports);
    } catch (error) {
      if (!(error instanceof FileError) || error.code !== 'ENOENT') throw error;
    }
  }
  return readMapping(pathFrom(ports.workingDirectory, name), ports);
}

/** All saved mappings with their names; unreadable ones are left out. */
export async function savedMappings(ports: MappingPorts): Promise<(readonly [string, Mapping])[]> {
  const directory = directoryOf(ports);
  const names = (await ports.files.list(directory)).filter((name) => name.endsWith('.yaml'));
  const read = await Promise.all(
    names.map((file) =>
      readMapping(join(directory, file), ports).then(
        (mapping) => [[file.slice(0, -'.yaml'.length), mapping] as const],
        () => [],
      ),
    ),
  );
  return read.flat();
}

/** Refuses a name that no mapping can have and, unless it may be replaced, one that a saved mapping has. */
export async function refuseUnsaveable(name: string, replace: boolean, ports: MappingPorts): Promise<void> {
  if (!NAME.test(name)) {
    throw new Refusal('mapping_name', `${name} is not a name for a mapping: use letters, digits, - and _`);
  }
  if (replace || !(await ports.files.list(directoryOf(ports))).includes(`${name}.yaml`)) return;
  throw new Refusal('mapping_exists', `there is a mapping ${name} already, and nothing was saved`);
}

/** Saves a mapping under a name that `refuseUnsaveable` accepted; returns its file. Throws a FileError. */
export async function saveMapping(name: string, mapping: Mapping, ports: MappingPorts): Promise<string> {
  const { stringify } = await import('yaml');
  const path = join(directoryOf(ports), `${name}.yaml`);
  await ports.files.write(path, stringify(mappingContent(mapping)));
  return path;
}
