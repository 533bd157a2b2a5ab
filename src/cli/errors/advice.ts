import type { AdviceCode } from '../../actions/action/advice.ts';
import type { Facts } from '../../actions/action/refusal.ts';
import { shellWord } from './shell-word.ts';

/** A flag with its value quoted for a shell; empty if there is no value. */
function given(name: string, value: Facts[string] | undefined): string {
  return value === undefined ? '' : ` --${name} '${String(value).replaceAll("'", `'\\''`)}'`;
}

/** How to do what is advised on a command line; the compiler reports an advice without wording. */
const wordings: Readonly<Record<AdviceCode, (facts: Facts) => string>> = {
  begin_with_setup: () => 'there is no key here: start with `shopctl auth setup`',
  complete_sign_in: ({ profile, base_url }) =>
    `shopctl auth login --shop-id ID${given('profile', profile)}${given('base-url', base_url)}`,
  choose_profile: ({ profiles }) =>
    `choose one with \`shopctl profiles use NAME\`: ${Array.isArray(profiles) ? profiles.join(', ') : ''}`,
  look_for_keys: () => 'see which keys there are with `shopctl auth status --offline`',
  open_sign_in_page: () =>
    'the owner signs in at sign_in_url; the page that follows does not open, and its address has the shop_id; then complete it with --shop-id',
  remove_profile: () => 'the API key of the profile is still there: shopctl profiles remove',
  sign_in_new_shop: () =>
    'check the id; a shop that is new to this partner signs in with `shopctl auth login`, without --shop-id',
  use_new_profile: ({ kind }) =>
    kind === 'partner' ? 'sign a shop in with `shopctl auth login`' : 'see your orders with `shopctl orders list`',
  wait_for_shop: () =>
    "the service gave no sign-in page: the owner signs in where `shopctl auth login` runs at a terminal, or on a page of yours that gives the token to the service's sign-in component; then complete it with --shop-id",
  ask_for_key: () => 'ask the operator for a valid key',
  check_proxy: () => 'check HTTPS_PROXY and HTTP_PROXY',
  check_service: () => 'is the service running, and the base url right?',
  close_settings: () => '`shopctl doctor --yes` closes it to other users',
  look_at_keys: () => '`shopctl auth status` tells about each key',
  name_shop: ({ shop }) => `give it a name here with \`shopctl auth login --shop-id ${shop} --name NAME\``,
  no_permissions_here: () => 'this file system keeps no permissions',
  look_at_unclear: ({ batch }) => `shopctl batch rows ${batch} --state unclear`,
  recover_all: () => '--all takes them as well',
  run_plan: ({ plan }) => `shopctl batch run --plan ${shellWord(String(plan))}`,
  resume_batch: ({ batch }) => `shopctl batch resume ${batch}`,
  retry_batch: ({ batch }) => `shopctl batch retry ${batch}`,
  see_all_events: () => '--all shows them, --limit that many',
  stop_sandbox: ({ name }) => `shopctl sandbox stop${name === undefined ? '' : ` --name ${name}`}`,
  start_sandbox: () => 'start one with `shopctl sandbox start`',
  try_here: () => 'To try one on this machine, leave with Ctrl-C and run `shopctl sandbox start`.',
  try_sandbox: ({ profiles }) => {
    const [partner, shop] = Array.isArray(profiles) ? profiles : [];
    return [
      `  shopctl auth login --profile ${partner}`,
      `  shopctl quote --profile ${partner} --input examples/quote.json`,
      `  shopctl account show --profile ${shop}`,
    ].join('\n');
  },
  resume_draft: ({ draft }) => `continue with \`shopctl ship --resume ${draft}\``,
  give_key: ({ profile }) =>
    `give it one with \`shopctl profiles set-key ${shellWord(String(profile))}\`, or set SHOPCTL_API_KEY`,
  set_clock: () => 'set the clock of this machine',
  set_up_key: () => 'set up a profile with `shopctl auth setup`, or set SHOPCTL_API_KEY',
  set_up_profile: () => 'make one with `shopctl auth setup`, or `shopctl sandbox start`',
  ship_the_same: ({ path, pick, fee }) =>
    `shopctl ship --input ${shellWord(String(path))} --pick ${shellWord(String(pick))} --max-fee ${fee} --yes`,
  sign_in_again: () => 'sign in again with `shopctl auth login`',
};

/** An advice in the words of the command line. */
export function adviceInWords(code: AdviceCode, facts: Facts = {}): string {
  return wordings[code](facts);
}
