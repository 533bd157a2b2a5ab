import type { AdviceCode } from '../../actions/advice.ts';
import type { Facts } from '../../actions/refusal.ts';

/** What is advised, as it is done on a command line; the compiler names an advice that is not worded. */
const wordings: Readonly<Record<AdviceCode, (facts: Facts) => string>> = {
  ask_for_key: () => 'ask the operator for a valid key',
  check_proxy: () => 'check HTTPS_PROXY and HTTP_PROXY',
  check_service: () => 'is the service running, and the base url right?',
  close_settings: () => '`shopctl doctor --yes` closes it to other users',
  look_at_keys: () => '`shopctl auth status` tells about each key',
  no_permissions_here: () => 'this file system keeps no permissions',
  set_clock: () => 'set the clock of this machine',
  set_up_key: () => 'set a profile up with `shopctl auth setup`, or set SHOPCTL_API_KEY',
  set_up_profile: () => 'make one with `shopctl auth setup`, or `shopctl sandbox start`',
  sign_in_again: () => 'sign in again with `shopctl auth login`',
};

/** What is advised, in the words of the command line. */
export function adviceInWords(code: AdviceCode, facts: Facts = {}): string {
  return wordings[code](facts);
}
