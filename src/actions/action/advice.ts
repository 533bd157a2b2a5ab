import type { Facts } from './refusal.ts';

/**
 * Everything that an action may advise a person to do next. An action names it and supplies the facts; the front end
 * says what to type or press.
 */
export type AdviceCode =
  | 'act_as_shop'
  | 'ask_for_key'
  | 'begin_with_setup'
  | 'check_proxy'
  | 'check_service'
  | 'choose_profile'
  | 'choose_state'
  | 'close_settings'
  | 'complete_sign_in'
  | 'fix_rows'
  | 'free_space'
  | 'give_key'
  | 'look_at_keys'
  | 'look_at_deliveries'
  | 'look_at_failed'
  | 'look_at_unclear'
  | 'look_for_keys'
  | 'make_change'
  | 'name_shop'
  | 'no_permissions_here'
  | 'open_sign_in_page'
  | 'raise_limit'
  | 'rebuild_sqlite'
  | 'own_settings'
  | 'plan_file'
  | 'recover_all'
  | 'repair_mirror'
  | 'remove_profile'
  | 'resume_batch'
  | 'resume_draft'
  | 'retry_batch'
  | 'see_all_events'
  | 'run_plan'
  | 'see_ledger'
  | 'set_clock'
  | 'settle_row'
  | 'set_up_key'
  | 'set_up_profile'
  | 'ship_the_same'
  | 'sign_in_again'
  | 'sign_in_new_shop'
  | 'start_listener'
  | 'start_sandbox'
  | 'stop_sandbox'
  | 'sync_mirror'
  | 'try_here'
  | 'try_sandbox'
  | 'use_new_profile'
  | 'wait_for_shop';

/** How a front end words an advice. */
export type Advise = (code: AdviceCode, facts?: Facts) => string;
