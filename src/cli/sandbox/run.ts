import { join } from 'node:path';
import type { RunningSandbox, Sandboxes, SandboxStart } from '../../actions/ports.ts';
import type { Settings, StoredProfile } from '../../platform/settings.ts';
import type { Context } from '../context.ts';
import type { Session } from '../session.ts';
import { ConfigurationError, UsageError } from '../usage-error.ts';
import { openSandboxDoor } from './door.ts';

export const PARTNER_PROFILE = 'sandbox';
export const SHOP_PROFILE = 'sandbox-shop';

/** The profile as it is saved; shops that are signed in stay so as long as the account is the same one. */
function partnerProfile(stored: StoredProfile | undefined, base_url: string, api_key: string): StoredProfile {
  const fresh: StoredProfile = { kind: 'partner', base_url, api_key };
  if (stored === undefined || stored.api_key !== api_key) return fresh;
  return { ...stored, ...fresh };
}

function withProfiles(settings: Settings, base_url: string, partnerKey: string, shopKey: string | undefined): Settings {
  const { profiles } = settings;
  return {
    ...settings,
    current_profile: settings.current_profile ?? PARTNER_PROFILE,
    profiles: {
      ...profiles,
      [PARTNER_PROFILE]: partnerProfile(profiles[PARTNER_PROFILE], base_url, partnerKey),
      ...(shopKey === undefined ? {} : { [SHOP_PROFILE]: { kind: 'shop', base_url, api_key: shopKey } }),
    },
  };
}

/** What is wrong with a seed file is a mistake in what was given, with its place. */
function asSeedMistake(error: unknown): unknown {
  return error instanceof Error && error.name === 'SeedError' ? new UsageError(error.message) : error;
}

/** A taken port and data that is in use are told as what they are. */
function asStartMistake(error: unknown, port: number): unknown {
  if (!(error instanceof Error)) return error;
  const { message, name } = error;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new ConfigurationError(`port ${port} is taken`, 'choose another with --port, or 0 for a free one');
  }
  if (name !== 'StoreInUseError') return error;
  return new ConfigurationError(
    message,
    'use that one (`shopctl sandbox status`), or other data: --data DIR, --name NAME, --ephemeral',
  );
}

/** Opens a sandbox, puts it on a port, saves its profiles and its record. */
async function startSandbox(context: Context, stateDirectory: string, start: SandboxStart): Promise<RunningSandbox> {
  const { openSandbox, startServer, writeState, removeState } = await openSandboxDoor();
  const sandbox = await openSandbox({
    data: start.data,
    seed: start.seed,
    clock: context.clock,
    allowHosts: start.allowHosts,
  }).catch((error: unknown) => {
    throw asSeedMistake(error);
  });
  const server = await startServer(sandbox, { port: start.port }).catch(async (error: unknown) => {
    await sandbox.close();
    throw error;
  });
  const state = {
    name: start.name,
    pid: context.pid,
    base_url: server.baseUrl,
    control_url: server.controlUrl,
    control_token: server.controlToken,
    data: start.data ?? null,
    started_at: server.startedAt,
  };
  try {
    const { partner, shops } = await sandbox.control.credentials();
    await start.store.update((settings) => withProfiles(settings, server.baseUrl, partner.api_key, shops[0]?.api_key));
    await writeState(stateDirectory, state);
  } catch (error) {
    await server.close();
    throw error;
  }
  return {
    baseUrl: server.baseUrl,
    controlUrl: server.controlUrl,
    profiles: [PARTNER_PROFILE, SHOP_PROFILE],
    stopRequested: server.stopRequested,
    async close() {
      await server.close();
      await removeState(stateDirectory, state);
    },
  };
}

/** Where the records of running sandboxes lie. */
function recordsIn(stateRoot: string): string {
  return join(stateRoot, 'sandboxes');
}

/** The sandboxes of this user, by way of the door. */
export function sandboxesOf(context: Context, session: Session): Sandboxes {
  const records = recordsIn(session.places.state);
  const { isRunning } = context.children;
  return {
    async control(name) {
      const { controlClient, findState } = await openSandboxDoor();
      const state = await findState(records, isRunning, name);
      if (state !== undefined) return controlClient(state, context.signal);
      throw new UsageError(name === undefined ? 'no sandbox runs' : `no sandbox ${JSON.stringify(name)} runs`, {
        hint: 'start one with `shopctl sandbox start`',
      });
    },
    async list() {
      const { listStates } = await openSandboxDoor();
      const found = await listStates(records, isRunning);
      return found.map(({ state: { control_token: _, ...state }, stale }) => ({ ...state, running: !stale }));
    },
    async start({ stateDirectory, ...start }) {
      const directory = stateDirectory === undefined ? records : recordsIn(stateDirectory);
      return startSandbox(context, directory, start).catch((error: unknown) => {
        throw asStartMistake(error, start.port);
      });
    },
  };
}
