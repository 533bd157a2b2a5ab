/** Every exit code, its meaning, and its causes. `shopctl help exit-codes` prints this table. */
export const exitCodes = {
  success: { code: 0, meaning: 'success' },
  failure: {
    code: 1,
    meaning: 'any other failure: a full or failing disk, a damaged file, output that could not be written, or a bug',
  },
  usage: { code: 2, meaning: 'usage or validation: nothing was sent, or the service refused the request as invalid' },
  notFound: { code: 3, meaning: 'not found, at the service or stored here' },
  credential: { code: 4, meaning: 'credential missing, wrong or not allowed' },
  conflict: {
    code: 5,
    meaning: 'conflict: already_exists, failed_precondition, aborted; something is at work, or a port is taken',
  },
  throttled: { code: 6, meaning: 'throttled, retries used up' },
  network: { code: 7, meaning: 'network or TLS: the request was not applied' },
  pending: { code: 8, meaning: 'still pending: the sign-in is not finished' },
  partial: { code: 9, meaning: 'part of it failed: bulk rows, fulfillment_errors' },
  unknownOutcome: { code: 10, meaning: 'outcome unknown: a write may have happened' },
  different: { code: 11, meaning: 'checked and different: totals, --expect, webhooks test' },
  policy: { code: 12, meaning: 'refused by policy: read-only, price guard' },
  service: { code: 13, meaning: 'the service failed (5xx) or broke the contract' },
  configuration: { code: 14, meaning: 'configuration is invalid' },
  hungUp: { code: 129, meaning: 'ended by SIGHUP: the terminal was closed' },
  interrupted: { code: 130, meaning: 'ended by SIGINT (Ctrl-C)' },
  terminated: { code: 143, meaning: 'ended by SIGTERM' },
} as const;

export type ExitName = keyof typeof exitCodes;

const ofServiceCode: Readonly<Record<string, ExitName>> = {
  invalid_argument: 'usage',
  out_of_range: 'usage',
  bad_route: 'usage',
  not_found: 'notFound',
  unauthenticated: 'credential',
  permission_denied: 'credential',
  already_exists: 'conflict',
  failed_precondition: 'conflict',
  aborted: 'conflict',
  resource_exhausted: 'throttled',
};

/** The exit code for an error response: by its code, or by its status if the code is unknown. */
export function exitOfService(code: string, status: number): ExitName {
  const known = ofServiceCode[code];
  if (known !== undefined) return known;
  if (status === 429) return 'throttled';
  if (status >= 500) return 'service';
  if (status === 401 || status === 403) return 'credential';
  if (status === 404) return 'notFound';
  if (status === 409 || status === 412) return 'conflict';
  return status >= 400 ? 'usage' : 'service';
}

/** The exit of an error by its kind, where its code says nothing else. */
const ofKind: Readonly<Record<string, ExitName>> = {
  usage: 'usage',
  request: 'usage',
  file: 'usage',
  credential: 'credential',
  conflict: 'conflict',
  held: 'unknownOutcome',
  network: 'network',
  contract: 'service',
  configuration: 'configuration',
  workspace: 'configuration',
  policy: 'policy',
  missing: 'notFound',
};

/** The exit of an error by its own code, whatever its kind: of a workspace, the mirror, a port. */
const ofOwnCode: Readonly<Record<string, ExitName>> = {
  EADDRINUSE: 'conflict',
  // What a sandbox has said that was started in the background.
  port_taken: 'conflict',
  already_running: 'conflict',
  data_in_use: 'conflict',
  workspace_busy: 'conflict',
  workspace_away: 'network',
  workspace_full: 'failure',
  workspace_io: 'failure',
  workspace_damaged: 'failure',
  mirror_busy: 'conflict',
  mirror_full: 'failure',
  mirror_damaged: 'failure',
  data_full: 'failure',
  data_damaged: 'failure',
  data_io: 'failure',
  settings_full: 'failure',
};

/** Kinds whose codes are in that table; the codes of others are the service's, or the system's. */
const withOwnCodes: ReadonlySet<string> = new Set(['workspace', 'configuration']);

/** How a batch ends that its workspace, or this program, stopped. */
const exitsOfStopped: Readonly<Record<string, ExitName>> = {
  network: 'network',
  configuration: 'configuration',
  partial: 'partial',
  unknownOutcome: 'unknownOutcome',
};

/** The exit of any error: an unknown outcome first, then its code, then its kind. */
export function exitOf(error: Readonly<Record<string, unknown>>): ExitName {
  const kind = String(error.kind);
  const code = String(error.code);
  if (error.outcome === 'unknown') return 'unknownOutcome';
  if (kind === 'stopped') {
    const ends = exitsOfStopped[String(error.ends)] ?? 'failure';
    return ends === 'configuration' ? (ofOwnCode[code] ?? ends) : ends;
  }
  if (kind === 'service') return exitOfService(code, Number(error.status));
  const own = withOwnCodes.has(kind) ? ofOwnCode[code] : undefined;
  return own ?? ofKind[kind] ?? 'failure';
}
