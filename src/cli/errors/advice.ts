import type { AdviceCode } from '../../action/advice.ts';
import type { Facts } from '../../client/refusal.ts';

/** Whether no shell reads anything into it: PowerShell makes a list of commas, zsh a path of a leading =. */
const plain = /^[\w./:%+-][\w./:@%+=-]*$/;

/**
 * The text as one word of a command line, quoted if needed: of bash and zsh, and of PowerShell too unless it has quotes
 * of both kinds, or an apostrophe beside what is special between double quotes.
 */
export function shellWord(text: string): string {
  if (plain.test(text)) return text;
  if (!text.includes("'")) return `'${text}'`;
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : `"${text}"`;
}

/** A fact as one word of a command line. */
const word = (fact: Facts[string] | undefined) => shellWord(String(fact));

/** The port of a sandbox that is started without --port. */
const USUAL_PORT = '4010';

/** How to start a sandbox, at the port that its profile has. */
function sandboxStart({ name, port = USUAL_PORT, flags = '' }: Facts): string {
  const named = name === undefined || name === 'default' ? '' : ` --name ${word(name)}`;
  const at = port === '' || port === USUAL_PORT ? '' : ` --port ${word(port)}`;
  // The flags of a profile are quoted already.
  return `shopctl sandbox start${named}${at}${flags === '' ? '' : ` ${String(flags)}`}`;
}

const flag = (name: string, fact: Facts[string] | undefined) => (fact === undefined ? '' : ` ${name} ${word(fact)}`);

const listed = (fact: Facts[string] | undefined) => (Array.isArray(fact) ? fact.map(String) : []);

/** How to list the rows of a batch that failed, and those that were left out if there are any. */
const failedRows = (batch: Facts[string] | undefined, skipped: Facts[string] | undefined) =>
  `shopctl batch rows ${word(batch)} --state failed${skipped === true ? ' --state skipped' : ''}`;

/** Where npm finds the headers of this Node, so that it need not fetch them. */
const forHeaders = (headers: Facts[string] | undefined) =>
  headers === undefined ? '' : `npm_config_nodedir=${word(headers)} `;

/** How to do what is advised on a command line; the compiler reports an advice without wording. */
export const adviceWordings: Readonly<Record<AdviceCode, (facts: Facts) => string>> = {
  begin_with_setup: () => 'there is no key here: start with `shopctl auth setup`',
  complete_sign_in: ({ shop }) => `shopctl auth login --shop-id ${shop === undefined ? 'ID' : word(shop)}`,
  choose_profile: ({ profiles }) =>
    listed(profiles)
      .map((name) => `\`shopctl profiles use ${shellWord(name)}\``)
      .join(' or '),
  look_for_keys: () => 'see which keys there are with `shopctl auth status --offline`',
  open_sign_in_page: () =>
    'once the owner has signed in at sign_in_url, the browser shows an error page: that is expected. Copy the shop_id from its address, and run `shopctl auth login --shop-id ID`',
  sign_in_as_owner: ({ address }) =>
    `or in another terminal, as the owner of a shop of the sandbox: \`shopctl sandbox sign-in ${word(address)}\``,
  remove_profile: ({ profile }) =>
    `the API key of the profile is still there: \`shopctl profiles remove ${word(profile)}\` removes it`,
  sign_in_new_shop: () =>
    'check the id; a shop that is new to this partner signs in with `shopctl auth login`, without --shop-id',
  use_new_profile: ({ kind }) =>
    kind === 'partner' ? 'sign a shop in with `shopctl auth login`' : 'see your orders with `shopctl orders list`',
  wait_for_shop: () =>
    "the service gave no sign-in page: the owner signs in where `shopctl auth login` runs at a terminal, or on a page of yours that gives the token to the service's sign-in component; then complete it with --shop-id",
  approve_plan: ({ plan }) => `shopctl approve ${word(plan)}`,
  act_as_shop: () => 'add --as shop, or set SHOPCTL_AS=shop',
  ask_for_key: () => 'ask the operator for a valid key',
  check_keys: () => 'shopctl auth status',
  check_proxy: () => 'check HTTPS_PROXY and HTTP_PROXY',
  check_service: () => 'is the service running, and the base url right?',
  close_settings: () => '`shopctl doctor --fix` closes it to other users',
  look_at_keys: () => '`shopctl auth status` shows each key',
  name_shop: ({ shop }) => `give it a name here with \`shopctl auth login --shop-id ${word(shop)} --name NAME\``,
  no_permissions_here: () => 'this file system has no file permissions',
  look_at_entry: ({ entry }) => `shopctl ledger show ${word(entry)}`,
  look_at_failed: ({ batch, shop, skipped }) => `${failedRows(batch, skipped)}${flag('--shop', shop)}`,
  look_at_unclear: ({ batch, shop }) => `shopctl batch rows ${word(batch)} --state unclear${flag('--shop', shop)}`,
  compare_payments: () => '`shopctl cod reconcile` compares them',
  see_settled: () => '`shopctl report cod` has that by day',
  see_webhooks: () => '`shopctl webhooks status` shows why, and when the next attempt is',
  recover_all: () => '`shopctl webhooks recover --all` replaces them, too',
  repair_mirror: () => '`shopctl mirror sync --full` repairs what differs',
  replace_sessions: ({ sessions }) =>
    `\`${listed(sessions)
      .map((session) => `--replaces ${shellWord(session)}`)
      .join(' ')}\``,
  resend_ended: ({ kinds, order }) => {
    const ways = [...listed(kinds), ...(order === undefined ? [] : [String(order)])];
    return `\`${ways.map((way) => `--resend-ended ${shellWord(way)}`).join(' ')}\``;
  },
  send_changed: ({ names, more, file, command }) => {
    const [first = ''] = listed(names);
    const resent = listed(names).map((name) => ` --resend-ended ${shellWord(name)}`);
    return `an order stays as it was sent; before its parcel is picked up, \`shopctl shipping cancel --external-id ${shellWord(first)} --cancel-reason TEXT\` cancels it${more === true ? ' (and so each of the others)' : ''}, and \`shopctl batch run ${word(file)}${flag('--do', command)}${resent.join('')}\` sends the row as it is now`;
  },
  resend_undone: () => '`--resend-ended undone`',
  resume_batch: ({ batch, shop }) => `shopctl batch resume ${word(batch)}${flag('--shop', shop)}`,
  undo_batch: ({ batch }) => `shopctl batch undo ${word(batch)}`,
  retry_batch: ({ batch, shop }) => `shopctl batch retry ${word(batch)}${flag('--shop', shop)}`,
  plan_file: ({ file, command, map }) =>
    `shopctl batch plan ${word(file)}${flag('--do', command)}${flag('--map', map)}`,
  run_plan: ({ plan }) => `shopctl batch run --plan ${word(plan)}`,
  see_all_events: () => '--all shows them, --limit that many',
  stop_sandbox: ({ name }) => `shopctl sandbox stop${name === undefined ? '' : ` --name ${word(name)}`}`,
  settle_row: ({ batch, row }) =>
    `check at the service, then record for each unclear row what you found: \`shopctl batch settle ${word(batch)} ${word(row)} --done\` or \`--not-done\``,
  sync_mirror: () => '`shopctl mirror sync` copies the shop',
  start_sandbox: (facts) => `start ${facts.name === undefined ? 'one' : 'it'} with \`${sandboxStart(facts)}\``,
  try_here: () => 'To try one on this machine, leave with Ctrl-C and run `shopctl sandbox start`.',
  try_sandbox: ({ profiles }) => {
    const [partner = '', shop = ''] = listed(profiles).map(shellWord);
    return [
      `  shopctl auth login --profile ${partner}`,
      `  shopctl ship --profile ${partner}`,
      `  shopctl orders list --profile ${shop}`,
    ].join('\n');
  },
  resume_draft: ({ draft }) => `continue with \`shopctl ship --resume ${word(draft)}\``,
  give_key: ({ profile }) => `give it one with \`shopctl profiles set-key ${word(profile)}\`, or set SHOPCTL_API_KEY`,
  set_clock: () => 'set the clock of this machine',
  set_up_key: () => 'set up a profile with `shopctl auth setup`, or set SHOPCTL_API_KEY',
  choose_state: () => 'make it writable, or set SHOPCTL_STATE_DIR to a directory that is',
  choose_config: () => 'make it writable, or set SHOPCTL_CONFIG_DIR to a directory that is',
  own_settings: ({ path }) => `give it back to yourself: sudo chown -R "$(id -un)" ${word(path)}`,
  install_sqlite: ({ headers }) =>
    `with python3, make and g++ installed, \`${forHeaders(headers)}npm install --global --allow-scripts=better-sqlite3 better-sqlite3@12\` installs it beside a global shopctl, and \`${forHeaders(headers)}npm install --no-save better-sqlite3@12\` in a checkout`,
  rebuild_sqlite: ({ headers }) =>
    `with python3, make and g++ installed, \`${forHeaders(headers)}npm rebuild --global --allow-scripts=better-sqlite3 better-sqlite3\` builds it for a global shopctl, and \`${forHeaders(headers)}npm rebuild better-sqlite3\` in a checkout${headers === undefined ? '' : '; no network is needed'}`,
  send_again: ({ batch }) => `\`shopctl batch retry ${word(batch)}\` sends them again, unchanged`,
  see_ledger: () =>
    '`shopctl ledger list` shows them; check at the service, then `shopctl ledger settle ID --done` or `--not-done`',
  start_listener: () => 'start one with `shopctl webhooks listen --register`',
  look_at_deliveries: () =>
    'the clock is frozen, or an earlier delivery is tried again first; `shopctl sandbox deliveries` shows them',
  make_change: () => 'the command that creates, updates or deletes one makes it: `shopctl commands` lists them',
  fix_rows: ({ batch, file, skipped, isNamed }) =>
    `\`${failedRows(batch, skipped)}\` lists them; once they ${isNamed === true ? 'have an external_id of their own' : 'are fixed in the file'}, \`shopctl batch retry ${word(batch)} ${word(file)}\` sends them`,
  raise_limit: ({ batch, limit }) =>
    `\`shopctl batch retry ${word(batch)} --${String(limit).replaceAll('_', '-')} AMOUNT\` sends them within a higher limit`,
  free_space: () => 'free some space: a full disk stops batches and listeners',
  set_up_profile: () => 'make one with `shopctl auth setup`, or `shopctl sandbox start`',
  ship_the_same: ({ path, pick, fee }) =>
    `shopctl ship --input ${word(path)} --pick ${word(pick)} --max-fee ${word(fee)} --yes`,
  sign_in_again: () => 'sign in again with `shopctl auth login`',
};

/** An advice in the words of the command line. */
export function adviceInWords(code: AdviceCode, facts: Facts = {}): string {
  return adviceWordings[code](facts);
}
