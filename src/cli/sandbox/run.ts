import { join } from 'node:path';
import type { Settings, SettingsStore, StoredProfile } from '../../platform/settings.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../usage-error.ts';
import { openSandboxDoor } from './door.ts';

/** How a sandbox is started. */
export interface SandboxStart {
  readonly name: string;
  readonly port: number;
  /** Directory of the data; undefined keeps nothing. */
  readonly data: string | undefined;
  /** The example records, nothing, or the content of a seed file. */
  readonly seed: 'demo' | 'none' | Readonly<Record<string, unknown>>;
  /** Hosts outside this machine that webhooks may lead to. */
  readonly allowHosts: readonly string[];
  /** Where its record goes, so that other commands find it. */
  readonly stateDirectory: string;
  /** Where its profiles are saved. */
  readonly store: SettingsStore;
}

/** A sandbox that runs in this process. */
export interface RunningSandbox {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly profiles: readonly string[];
  readonly stopRequested: Promise<void>;
  close(): Promise<void>;
}

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

/** Opens a sandbox, puts it on a port, saves its profiles and its record. */
export async function startSandbox(context: Context, start: SandboxStart): Promise<RunningSandbox> {
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
    await writeState(start.stateDirectory, state);
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
      await removeState(start.stateDirectory, state);
    },
  };
}

/** Where the records of running sandboxes lie. */
export function sandboxStates(stateRoot: string): string {
  return join(stateRoot, 'sandboxes');
}
