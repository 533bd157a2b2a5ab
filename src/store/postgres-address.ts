import { type AddressRules, readAddress } from '../platform/http/address.ts';
import { isLoopbackHost } from '../platform/server/loopback-server.ts';
import { say } from '../platform/terminal/texts.ts';
import { WorkspaceError } from './workspace.ts';

/**
 * The address of a workspace on PostgreSQL, as the driver takes it. The password comes from the environment or .pgpass.
 */
export interface PostgresAddress {
  /** For the driver: the address as it was given. */
  readonly connectionString: string;
  /** For a person: without a password. */
  readonly place: string;
  /** Whether the connection is encrypted and the server's certificate verified: always, except on this machine. */
  readonly tls: boolean;
}

/** The driver's modes that skip TLS or the verification of the certificate. */
const laxModes = new Set(['disable', 'allow', 'prefer', 'no-verify', 'require']);

/** Whether a setting is the address of a server rather than a file path. */
export function isPostgresAddress(setting: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(setting);
}

/** A url without its password, to be stored. */
export function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.password = '';
  for (const name of [...shown.searchParams.keys()]) {
    if (/pass/i.test(name)) shown.searchParams.delete(name);
  }
  return shown.href;
}

/** The parameters that tell where a workspace is, and no secret. */
const shownParameters = new Set(['host', 'port', 'sslmode']);

/** A url to be shown: without its password, and without parameters that may be one under another name. */
function shownAddress(url: string): string {
  const shown = new URL(withoutPassword(url));
  for (const name of [...shown.searchParams.keys()]) {
    if (!shownParameters.has(name)) shown.searchParams.delete(name);
  }
  return shown.href;
}

const rules: AddressRules = {
  name: () => say().address.workspace,
  schemes: ['postgres', 'postgresql'],
  example: 'postgres://user@host:5432/database',
  mayLackHost: true,
};

/**
 * Reads a `postgres://` url. Throws an AddressError for text that is not a url, and a WorkspaceError
 * (`workspace_unusable`) for a url without a database, and for one that would cross a network without TLS.
 */
export function postgresAddress(setting: string): PostgresAddress {
  const url = readAddress(setting, rules);
  if (url.pathname.length < 2) {
    throw new WorkspaceError('workspace_unusable', say().workspace.must);
  }
  const host = url.searchParams.get('host') ?? url.hostname;
  const local = host === '' || host.startsWith('/') || isLoopbackHost(host);
  const mode = url.searchParams.get('sslmode');
  if (!local && mode !== null && laxModes.has(mode)) {
    const { withoutTls, withTls } = say().workspace;
    throw new WorkspaceError('workspace_unusable', withoutTls({ mode }), { hint: withTls });
  }
  return {
    connectionString: setting,
    place: shownAddress(setting),
    tls: !local || (mode !== null && mode !== 'disable'),
  };
}
