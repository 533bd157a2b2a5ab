import type { Facts } from './refusal.ts';

/**
 * Everything that an action may advise a person to do next. An action names it and gives the facts; what is typed or
 * pressed for it is for a front to say.
 */
export type AdviceCode =
  | 'ask_for_key'
  | 'check_proxy'
  | 'check_service'
  | 'close_settings'
  | 'look_at_keys'
  | 'no_permissions_here'
  | 'set_clock'
  | 'set_up_key'
  | 'set_up_profile'
  | 'sign_in_again';

/** How a front words an advice. */
export type Advise = (code: AdviceCode, facts?: Facts) => string;
