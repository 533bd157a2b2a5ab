import type { AdviceCode } from '../../action/advice.ts';
import type { Facts } from '../../client/refusal.ts';
import { say } from './texts.ts';

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

/** A command that names a profile, a batch or the like. */
const typed = (command: string, ...facts: readonly (Facts[string] | undefined)[]) => ({
  command: [`shopctl ${command}`, ...facts.map(word)].join(' '),
});

/** How to do what is advised on a command line; the compiler reports an advice without wording. */
export const adviceWordings: Readonly<Record<AdviceCode, (facts: Facts) => string>> = {
  begin_with_setup: () => say().advice.beginWithSetup,
  complete_sign_in: ({ shop }) => `shopctl auth login --shop-id ${shop === undefined ? 'ID' : word(shop)}`,
  choose_profile: ({ profiles }) =>
    say().advice.chooseOf({ ways: listed(profiles).map((name) => `shopctl profiles use ${shellWord(name)}`) }),
  look_for_keys: () => say().advice.lookForKeys,
  open_sign_in_page: () => say().advice.openSignInPage,
  sign_in_as_owner: ({ address }) => say().advice.signInAsOwner(typed('sandbox sign-in', address)),
  remove_profile: ({ profile }) => say().advice.removeProfile(typed('profiles remove', profile)),
  sign_in_new_shop: () => say().advice.signInNewShop,
  use_new_profile: ({ kind }) => (kind === 'partner' ? say().advice.signShopIn : say().advice.seeOrders),
  wait_for_shop: () => say().advice.waitForShop,
  approve_plan: ({ plan }) => `shopctl approve ${word(plan)}`,
  act_as_shop: () => say().advice.actAsShop,
  ask_for_key: () => say().advice.askForKey,
  check_keys: () => 'shopctl auth status',
  check_proxy: () => say().advice.checkProxy,
  check_service: () => say().advice.checkService,
  close_settings: () => say().advice.closeSettings,
  look_at_keys: () => say().advice.lookAtKeys,
  name_shop: ({ shop }) => say().advice.nameShop({ command: `shopctl auth login --shop-id ${word(shop)} --name NAME` }),
  no_permissions_here: () => say().advice.noPermissionsHere,
  look_at_entry: ({ entry }) => `shopctl ledger show ${word(entry)}`,
  look_at_failed: ({ batch, shop, skipped }) => `${failedRows(batch, skipped)}${flag('--shop', shop)}`,
  look_at_unclear: ({ batch, shop }) => `shopctl batch rows ${word(batch)} --state unclear${flag('--shop', shop)}`,
  list_waiting: () => '`--class awaiting`',
  compare_payments: () => say().advice.comparePayments,
  see_settled: () => say().advice.seeSettled,
  see_webhooks: () => say().advice.seeWebhooks,
  recover_all: () => say().advice.recoverAll,
  repair_mirror: () => say().advice.repairMirror,
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
    return say().advice.sendChanged({
      cancel: `shopctl shipping cancel --external-id ${shellWord(first)} --cancel-reason TEXT`,
      isMore: more === true,
      run: `shopctl batch run ${word(file)}${flag('--do', command)}${resent.join('')}`,
    });
  },
  resend_undone: () => '`--resend-ended undone`',
  resume_batch: ({ batch, shop }) => `shopctl batch resume ${word(batch)}${flag('--shop', shop)}`,
  use_backup: ({ file }) => say().advice.useBackup({ command: `shopctl config set workspace ${word(file)}` }),
  undo_batch: ({ batch }) => `shopctl batch undo ${word(batch)}`,
  retry_batch: ({ batch, shop }) => `shopctl batch retry ${word(batch)}${flag('--shop', shop)}`,
  map_file: ({ file, command }) => `shopctl batch map ${word(file)}${flag('--do', command)} --save NAME`,
  plan_file: ({ file, command, map }) =>
    `shopctl batch plan ${word(file)}${flag('--do', command)}${flag('--map', map)}`,
  run_plan: ({ plan }) => `shopctl batch run --plan ${word(plan)}`,
  see_all_events: () => say().advice.seeAllEvents,
  stop_sandbox: ({ name }) => `shopctl sandbox stop${name === undefined ? '' : ` --name ${word(name)}`}`,
  settle_row: ({ batch, row }) => say().advice.settleRow(typed('batch settle', batch, row)),
  renew_mirror: () => say().advice.renewMirror,
  sync_mirror: () => say().advice.syncMirror,
  start_sandbox: (facts) => {
    const command = sandboxStart(facts);
    return facts.name === undefined
      ? say().advice.startOneSandbox({ command })
      : say().advice.startSandbox({ command });
  },
  try_here: () => say().advice.tryHere,
  try_sandbox: ({ profiles, current }) => {
    const own = listed(profiles);
    const [partner = '', shop = ''] = own.map(shellWord);
    // What somebody uses elsewhere stays as it is.
    if (own.includes(String(current)))
      return [
        ...(current === own[0] ? [`  shopctl profiles use ${shop}`] : []),
        `  shopctl orders list --profile ${shop}`,
        `  shopctl ship --profile ${shop}`,
        `  shopctl auth login --profile ${partner}`,
      ].join('\n');
    return [
      `  shopctl auth login --profile ${partner}`,
      `  shopctl ship --profile ${partner}`,
      `  shopctl orders list --profile ${shop}`,
    ].join('\n');
  },
  resume_draft: ({ draft }) => say().advice.resumeDraft(typed('ship --resume', draft)),
  give_key: ({ profile }) => say().advice.giveKey(typed('profiles set-key', profile)),
  set_clock: () => say().advice.setClock,
  set_up_key: () => say().advice.setUpKey,
  choose_state: () => say().advice.chooseState,
  choose_config: () => say().advice.chooseConfig,
  own_settings: ({ path }) => say().advice.ownSettings({ command: `sudo chown -R "$(id -un)" ${word(path)}` }),
  install_sqlite: ({ headers }) =>
    say().advice.installSqlite({
      global: `${forHeaders(headers)}npm install --global --allow-scripts=better-sqlite3 better-sqlite3@12`,
      local: `${forHeaders(headers)}npm install --no-save better-sqlite3@12`,
    }),
  rebuild_sqlite: ({ headers }) =>
    say().advice.rebuildSqlite({
      global: `${forHeaders(headers)}npm rebuild --global --allow-scripts=better-sqlite3 better-sqlite3`,
      local: `${forHeaders(headers)}npm rebuild better-sqlite3`,
      isOffline: headers !== undefined,
    }),
  send_again: ({ batch }) => say().advice.sendAgain(typed('batch retry', batch)),
  see_ledger: () => say().advice.seeLedger,
  start_listener: () => say().advice.startListener,
  look_at_deliveries: () => say().advice.lookAtDeliveries,
  make_change: () => say().advice.makeChange,
  fix_rows: ({ batch, file, skipped, isNamed }) => {
    const commands = { list: failedRows(batch, skipped), retry: typed('batch retry', batch, file).command };
    return isNamed === true ? say().advice.nameRows(commands) : say().advice.fixRows(commands);
  },
  raise_limit: ({ batch, limit }) =>
    say().advice.raiseLimit({
      command: `shopctl batch retry ${word(batch)} --${String(limit).replaceAll('_', '-')} AMOUNT`,
    }),
  free_space: () => say().advice.freeSpace,
  set_up_profile: () => say().advice.setUpProfile,
  ship_the_same: ({ path, pick, fee }) =>
    `shopctl ship --input ${word(path)} --pick ${word(pick)} --max-fee ${word(fee)} --yes`,
  sign_in_again: () => say().advice.signInAgain,
};

/** An advice in the words of the command line. */
export function adviceInWords(code: AdviceCode, facts: Facts = {}): string {
  return adviceWordings[code](facts);
}
