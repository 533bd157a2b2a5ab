import { join } from 'node:path';
import { parseJson } from '../../domain/json/json.ts';
import { fieldsIn } from '../../domain/json/values.ts';
import { consolesIn } from '../../platform/files/paths.ts';
import type { Context } from '../context.ts';
import type { Session } from './session.ts';

/** A console that runs: the profile that it serves, the port that was asked for, where it is, and the token to ask it. */
interface RunningRecord {
  readonly profile: string;
  readonly port: number;
  readonly origin: string;
  readonly token: string;
}

type Place = Pick<RunningRecord, 'profile' | 'port'>;
interface Where {
  readonly context: Context;
  readonly session: Session;
}

const directoryOf = ({ session }: Where) => consolesIn(session.places);

/** The file of the console at a port, which only this user can read. */
const pathOf = (where: Where, port: number | string) => join(directoryOf(where), `${port}.json`);

/** Saves how to ask a running console for a new address; returns what forgets it. */
export async function remember(where: Where, record: RunningRecord): Promise<() => Promise<void>> {
  const { files } = where.context;
  const path = pathOf(where, new URL(record.origin).port);
  await files.write(path, JSON.stringify(record));
  return () => files.remove(path);
}

/** A new address of the console that serves the profile at the port; undefined if none does. */
export async function addressOfRunning(where: Where, { profile, port }: Place): Promise<string | undefined> {
  const { files, transport } = where.context;
  try {
    const { origin, token, ...found } = fieldsIn(parseJson(await files.read(pathOf(where, port))));
    if (found.profile !== profile || typeof origin !== 'string' || typeof token !== 'string') return undefined;
    // The file says which port it is of; nothing else that it may name is asked.
    if (origin !== `http://127.0.0.1:${port}`) return undefined;
    const headers = { authorization: `Bearer ${token}` };
    const { status, body } = await transport({ method: 'POST', url: `${origin}/api/address`, headers, body: '' });
    const { url } = fieldsIn(parseJson(body));
    return status === 200 && typeof url === 'string' && url.startsWith(`${origin}/`) ? url : undefined;
  } catch {
    return undefined;
  }
}

/** A new address of a console that serves the profile, at whichever port it is; undefined if none runs. */
export async function addressOfProfile(where: Where, profile: string): Promise<string | undefined> {
  for (const name of await where.context.files.list(directoryOf(where))) {
    const [, port] = /^(\d+)\.json$/.exec(name) ?? [];
    const url = port === undefined ? undefined : await addressOfRunning(where, { profile, port: Number(port) });
    if (url !== undefined) return url;
  }
  return undefined;
}
