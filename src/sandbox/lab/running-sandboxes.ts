import { readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { sandboxName } from '../../contract/control/names.ts';
import { nodeFiles } from '../../platform/files/node-files.ts';

const schema = z.object({
  name: z.string().regex(sandboxName),
  pid: z.int().positive(),
  base_url: z.string(),
  control_url: z.string(),
  control_token: z.string(),
  data: z.string().nullable(),
  started_at: z.string(),
  /** Whether its process does something else beside it, and goes on after it. */
  process_goes_on: z.optional(z.boolean()),
});

/**
 * How the sandbox commands find a running sandbox; one file each in the state directory, readable by this user only.
 */
export type SandboxState = z.output<typeof schema>;

/** A state file that was found. A stale one was left behind by a process that is gone. */
export interface FoundState {
  readonly state: SandboxState;
  readonly stale: boolean;
}

/** Whether a process with that id exists; supplied by the caller, because this layer does not touch processes. */
export type IsRunning = (pid: number) => boolean;

/** Writes the state of a sandbox, atomically, 0600 in a directory 0700. Throws a RangeError for an invalid name. */
export async function writeState(directory: string, state: SandboxState): Promise<void> {
  await nodeFiles.write(fileOf(directory, state.name), `${JSON.stringify(state, null, 2)}\n`);
}

/** Removes a state file if it still belongs to that run: a newer sandbox of the same name keeps its own. */
export async function removeState(directory: string, { name, control_token }: SandboxState): Promise<void> {
  const path = fileOf(directory, name);
  if ((await readState(path))?.control_token === control_token) await unlink(path).catch(() => {});
}

/** All states in the directory, newest first; other files are skipped. */
export async function listStates(directory: string, isRunning: IsRunning): Promise<FoundState[]> {
  const names = await readdir(directory).catch(() => []);
  const states = await Promise.all(
    names.filter((name) => /^\w.*\.json$/.test(name)).map((name) => readState(join(directory, name))),
  );
  return states
    .flatMap((state) => (state ? [{ state, stale: !isRunning(state.pid) }] : []))
    .sort((one, other) => other.state.started_at.localeCompare(one.state.started_at));
}

/** The running sandbox of that name, or the newest one; undefined if none is running. */
export async function findState(
  directory: string,
  isRunning: IsRunning,
  name?: string,
): Promise<SandboxState | undefined> {
  const found = await listStates(directory, isRunning);
  return found.find(({ state, stale }) => !stale && (name === undefined || state.name === name))?.state;
}

function fileOf(directory: string, name: string): string {
  if (!sandboxName.test(name)) throw new RangeError(`not a name of a sandbox: ${JSON.stringify(name)}`);
  return join(directory, `${name}.json`);
}

async function readState(path: string): Promise<SandboxState | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}
