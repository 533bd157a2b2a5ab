/** Every exit code, its meaning, and its causes. `shopctl help exit-codes` prints this table. */
export const exitCodes = {
  success: { code: 0, meaning: 'success' },
  failure: { code: 1, meaning: 'any other failure: the output could not be written, or a bug' },
  usage: { code: 2, meaning: 'usage or validation: nothing was sent, or the service refused the request as invalid' },
  notFound: { code: 3, meaning: 'not found' },
  credential: { code: 4, meaning: 'credential missing, wrong or not allowed' },
  conflict: { code: 5, meaning: 'conflict: already_exists, failed_precondition, aborted' },
  throttled: { code: 6, meaning: 'throttled, retries used up' },
  network: { code: 7, meaning: 'network or TLS: the request was not applied' },
  pending: { code: 8, meaning: 'still pending: the sign-in is not finished' },
  partial: { code: 9, meaning: 'part of it failed: bulk rows, fulfillment_errors' },
  unknownOutcome: { code: 10, meaning: 'outcome unknown: a write may have happened' },
  different: { code: 11, meaning: 'checked and different: totals, --expect, webhooks test' },
  policy: { code: 12, meaning: 'refused by policy: read-only, price guard' },
  service: { code: 13, meaning: 'the service failed (5xx) or broke the contract' },
  configuration: { code: 14, meaning: 'configuration is invalid' },
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
