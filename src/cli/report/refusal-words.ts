import type { Action } from '../../action/action.ts';
import type { Facts, Refusal } from '../../client/refusal.ts';
import { allSettings } from '../../settings/in-force.ts';
import { shellWord } from '../errors/advice.ts';
import { ConfigurationError, PolicyError, ServiceUnfitError, UsageError } from '../errors/usage-error.ts';
import type { Flag } from '../flags/command.ts';
import { spelledIn } from '../flags/field-names.ts';

/** Spells a field as a person gives it: by its flag, or by its position. */
type Spell = (path: string) => string;

/** The wording of a refusal on a command line, and its hint; the refusal's own message when absent. */
interface Wording {
  readonly message?: (facts: Facts, spell: Spell) => string;
  readonly hint?: (facts: Facts, spell: Spell) => string;
}

const fieldsOf = ({ fields }: Facts) => (Array.isArray(fields) ? fields.map(String) : []);

/** A fact as one word of a command line. */
const word = (fact: Facts[string] | undefined) => shellWord(String(fact));

const listOf = (fact: Facts[string] | undefined) => (Array.isArray(fact) ? fact.join(', ') : '');

/** Which shops can be named instead of one that is not known, or how one is signed in whose id is given. */
export function shopsInWords({ shop, shops, near }: Facts): string {
  if (/^\d+$/.test(String(shop))) return `sign it in with \`shopctl auth login --shop-id ${word(shop)}\``;
  if (listOf(shops) === '') return 'no shop is signed in: `shopctl auth login` signs one in';
  return `${near === undefined ? '' : `did you mean ${near}? `}the shops are: ${listOf(shops)}`;
}

/** A setting as it was given: by its flag, or by its variable. */
function flagOfSetting({ setting, origin, expected }: Facts): string {
  const [, found] = allSettings.find(([key]) => key === setting) ?? [];
  const name = origin === 'flag' ? `--${found?.flag?.name}` : found?.variable;
  return `${name} must be ${expected}`;
}

/** The flag of a setting by its name in the code. */
const settingFlag = (setting: Facts[string] | undefined) =>
  allSettings.find(([key]) => key === setting)?.[1].flag?.name;

/** How a setting that no profile keeps is given: by its flag, or by its variable. */
function wayToGive({ setting }: Facts): string {
  const [, { flag, variable } = {}] = allSettings.find(([, { name }]) => name === setting) ?? [];
  return `give it with ${[flag && `--${flag.name}`, variable].filter(Boolean).join(' or ')}`;
}

const flagsOfOrder: Readonly<Record<string, string>> = {
  order: '--input FILE',
  pick: '--pick WHICH (or a service in the order)',
  agreement: '--yes',
};

/** What an order lacks besides its fields. */
function unsaidInWords(name: string): string {
  return name === 'agreement' ? 'this costs money: add --yes to confirm' : `--${name} is missing`;
}

/** What answers the questions about a file, as flags. */
function answersInFlags({ fields, values }: Facts, spell: Spell): string {
  const given = Array.isArray(fields) && Array.isArray(values) ? fields.map((field, at) => [field, values[at]]) : [];
  const flags = given.map(([field, value]) => {
    if (value === '') return spell(field);
    return `${spell(field)} ${/^[a-z|]+$/.test(value) ? value : word(value)}`;
  });
  return flags.join(', ');
}

/** The wording of refusals, by code. */
export const refusalWordings: Readonly<Record<string, Wording>> = {
  policy_not_accepted: { hint: () => 'read it and accept it with `shopctl agents policy accept`, at a terminal' },
  policy_invalid: { hint: () => 'fix it with `shopctl agents policy edit`, at a terminal' },
  batch_unfinished: { hint: ({ batch }) => `\`shopctl batch resume ${word(batch)}\` goes on with it` },
  plan_unknown: { hint: () => '`shopctl approve --list` shows the plans that wait' },
  plan_missing: { hint: () => '`shopctl approve --list` shows the plans that wait' },
  approval_needed: { hint: ({ next }) => `somebody at a terminal runs \`${next}\`; then run the same command again` },
  person_runs: { hint: ({ command }) => `the user can run \`${command}\`` },
  plan_elsewhere: { hint: ({ profile }) => `give --profile ${word(profile)}` },
  setting_invalid: { message: flagOfSetting },
  setting_unknown: { hint: (facts) => `the settings are: ${listOf(facts.settings)}` },
  setting_not_kept: { hint: (facts) => `${wayToGive(facts)}; a profile keeps ${listOf(facts.settings)}` },
  profile_unknown: {
    hint: ({ profiles }) =>
      listOf(profiles) === '' ? 'make one with `shopctl profiles add NAME`' : `the profiles are: ${listOf(profiles)}`,
  },
  profile_mismatch: { hint: ({ variable }) => `unset ${variable}, or leave out --profile` },
  profile_not_fresh: {
    hint: ({ profiles }) => `its profiles are ${listOf(profiles)}: choose one with --profile or SHOPCTL_PROFILE`,
  },
  setting_elsewhere: {
    message: ({ setting }) => `--${settingFlag(setting)} cannot be honoured: the command runs against a fresh sandbox`,
    hint: ({ setting }) => `leave out --${settingFlag(setting)}`,
  },
  profile_of_shop: { hint: () => 'name a partner’s profile with --profile' },
  profile_of_other: {
    hint: () => 'name the profile to save it in with --profile, or add one with `shopctl profiles add NAME`',
  },
  profile_elsewhere: { hint: () => 'name another profile with --profile' },
  shop_not_signed_in: {
    hint: shopsInWords,
  },
  shop_or_all: { message: () => 'either a shop or --all, not both' },
  shop_unsaid: { message: () => 'which shop? name its id, or --all' },
  key_to_nobody: { message: () => 'this prints a key: add --yes to confirm' },
  nobody_to_ask: {
    hint: () => 'use `shopctl profiles add NAME --base-url URL --kind partner --api-key-stdin < FILE`',
  },
  order_incomplete: {
    message: ({ wrong, unsaid }) =>
      [...(Array.isArray(wrong) ? wrong : []), ...(Array.isArray(unsaid) ? unsaid : []).map(unsaidInWords)].join('; '),
  },
  name_unknown: { hint: ({ text }) => `--match ${word(text)} of the list searches names, phones and codes` },
  name_shared: { hint: () => 'give its id' },
  picked_up: {
    hint: () => '--order-only cancels the order alone: what was picked up stays as it is',
  },
  not_picked_up: { hint: () => 'without --order-only the order is cancelled, and its parcel with it' },
  order_missing: {
    message: ({ missing }) => {
      const flags = (Array.isArray(missing) ? missing : []).map((name) => flagsOfOrder[name] ?? name);
      return `shopctl cannot ask here: ${flags.join(', ')} ${flags.length > 1 ? 'are' : 'is'} missing`;
    },
    hint: () => '`shopctl shipping create --skeleton` prints an order to fill in',
  },
  message_missing: {
    hint: () => 'paste it on a terminal, or give it on stdin: `shopctl ship --paste`',
  },
  draft_or_order: { message: () => '--resume continues a draft: leave out --input and --answers' },
  question_unanswered: {
    hint: () => 'without a terminal, the answers, --pick and --yes must say everything',
  },
  draft_in_doubt: {
    message: ({ draft }) =>
      `draft ${draft} may have shipped, and without the draft you cannot find out: add --yes to remove it`,
    hint: ({ draft, state }) =>
      state === 'damaged'
        ? 'look for its order at the service first'
        : `\`shopctl ship --resume ${word(draft)}\` settles it`,
  },
  key_malformed: {
    hint: () => 'a key is a single word: give it alone, without a second line',
  },
  key_refused: {
    hint: ({ other_kind }) =>
      other_kind === undefined
        ? 'copy it again; nothing was saved, and --no-check saves a key without checking it'
        : `it is accepted as one of the other kind: give --kind ${other_kind}; nothing was saved`,
  },
  key_untried: {
    hint: () =>
      'is the service running and the address right? Nothing was saved; --no-check saves the key without checking it',
  },
  no_account: { hint: () => 'choose a profile with a key, or set SHOPCTL_API_KEY or SHOPCTL_SHOP_KEY' },
  key_missing: { hint: () => 'give it on stdin, with --api-key-stdin' },
  mapping_exists: { hint: () => 'replace it with --replace, or choose another name' },
  profile_exists: { hint: () => 'replace it with --replace' },
  no_profile: { hint: () => 'make one with `shopctl profiles add NAME --base-url URL`' },
  no_profile_named: { hint: () => 'name one: `shopctl profiles show NAME`' },
  keys_stay: { hint: () => 'add a profile for the other one with `shopctl profiles add NAME --base-url URL`' },
  address_missing: { message: () => '--base-url is missing' },
  no_service: {
    hint: () =>
      'start one here with `shopctl sandbox start`, or name yours with `shopctl profiles add NAME --base-url URL`',
  },
  command_unknown: {
    hint: ({ near, known }) =>
      near === undefined ? `one of: ${listOf(known)}` : `did you mean \`shopctl schema ${near}\`?`,
  },
  api_table: {
    hint: ({ command }) =>
      command === undefined
        ? 'use -o json or -o yaml'
        : `\`shopctl ${String(command)}\` has one; -o json shows the answer`,
  },
  operation_path: { hint: () => 'it looks like shop.Order/GetOrder; `shopctl commands` lists the operations' },
  both_given: { message: (facts, spell) => `${fieldsOf(facts).map(spell).join(' and ')} cannot be given together` },
  rows_shared: {
    hint: ({ batch }) =>
      batch === undefined
        ? '--again sends all of them as new records'
        : `--continue ${word(batch)} treats equal rows as sent by that batch and sends the others; --again sends all of them as new records`,
  },
  cells_wrong: {
    hint: ({ unmapped, file }) =>
      unmapped === 'constants'
        ? `\`shopctl batch map ${word(file)} --save NAME\` asks once for what no column has`
        : 'fix the file, or leave those rows out with --skip-bad',
  },
  resend_by_name: { hint: () => 'give --resend-ended ORDER, for each of them' },
  resend_unknown: {
    hint: () => '--resend-ended takes undone, cancelled, returned, undeliverable, or the name of an order of the file',
  },
  status_unreadable: {
    hint: () => "give --status 'WORD=ship' or --status 'WORD=skip', and --payment 'WORD=cash' or --payment 'WORD=paid'",
  },
  questions_open: {
    message: (facts, spell) => `nothing was done: ${facts.questions}; answer with ${answersInFlags(facts, spell)}`,
    hint: () => 'at a terminal shopctl asks; --yes answers none of these',
  },
  no_fitting_offer: { hint: () => 'change the conditions, or leave those rows out with --skip-bad' },
  records_gone: {
    hint: ({ batch, open }) =>
      open === undefined
        ? `\`shopctl batch forget ${word(batch)}\` forgets what was sent there; then the file can be run again`
        : `\`shopctl batch rows ${word(batch)} --state sending\` lists rows that may still be on their way: look for them at the service; then the file can be run with --again, as new records`,
  },
  backup_by_server: { hint: () => '`pg_dump --format=custom --file=FILE URL` does' },
  of_all_shops: { hint: () => 'leave out --shop' },
  of_other_shop: { hint: () => 'leave out --shop and SHOPCTL_SHOP, or name its shop' },
  shop_of_partner: { hint: () => "leave out --shop and SHOPCTL_SHOP, or use a shop's own key with --as shop" },
  workbook_changed: { hint: () => 'write the result to another file with --to' },
  plan_stale: { hint: () => 'plan it again' },
  batch_elsewhere: {
    hint: ({ of_profile, of_shop }) =>
      of_profile === undefined
        ? 'choose the profile of that account with --profile, and its shop with --shop'
        : `add --profile ${word(of_profile)}${of_shop === undefined ? '' : ` --shop ${word(of_shop)}`}`,
  },
  batch_open: { hint: ({ batch }) => `\`shopctl batch resume ${word(batch)}\` waits for it, or continues it` },
  row_not_unclear: { hint: ({ batch }) => `\`shopctl batch rows ${word(batch)}\` lists its rows with their states` },
  nothing_made: { hint: ({ batch }) => `\`shopctl batch rows ${word(batch)}\` lists its rows with their states` },
  batch_unclear: {
    hint: ({ batch }) =>
      `\`shopctl batch resume ${word(batch)}\` looks the rows up again; \`shopctl batch rows ${word(batch)} --state unclear\` says how to settle each`,
  },
  options_differ: { hint: () => 'leave the options out: a batch keeps those that it was started with' },
  orders_unsaid: { hint: () => 'name ORDERs, or give one of --batch BATCH and --today' },
  printer_missing: {
    hint: () => 'write a file with --to FILE instead of --print, and print that with a program of yours',
  },
  to_missing: { hint: () => 'give --to FILE, or --print' },
  file_missing: { hint: () => 'give a FILE, or a plan with --plan' },
};

/** Codes of refusals whose message says what to give: the usage would add nothing. */
const SAYING_ALL: ReadonlySet<string> = new Set([
  'not_confirmed',
  'format_unknown',
  'moment_unreadable',
  'duration_unreadable',
]);

function spelling({ hints }: Action, flags: readonly Flag[]): Spell {
  return (path) => {
    const flag = flags.find((candidate) => candidate.path?.join('.') === path);
    return flag === undefined ? (hints?.[path]?.placeholder?.toLowerCase() ?? path) : `--${flag.name}`;
  };
}

/** A refusal in the words of the command line: the action's fields are flags, and a hint says what to type. */
export function inWords(refusal: Refusal, action?: Action, flags: readonly Flag[] = []): Error {
  const { kind, code, facts, fieldErrors } = refusal;
  const spell: Spell = action === undefined ? (path) => path : spelling(action, flags);
  const wording = Object.hasOwn(refusalWordings, code) ? refusalWordings[code] : undefined;
  const reported =
    code === 'invalid_input'
      ? fieldErrors.map(({ path, message }) => `${spell(path)} ${spelledIn(message, spell)}`).join('; ')
      : undefined;
  const message = wording?.message?.(facts, spell) ?? reported ?? refusal.message;
  const hint = wording?.hint?.(facts, spell);
  if (kind === 'configuration') return new ConfigurationError(message, hint);
  if (kind === 'policy') {
    const meta = Object.entries(facts).map(([name, fact]) => [name, String(fact)] as const);
    return new PolicyError(code, message, hint, Object.fromEntries(meta));
  }
  const usage = SAYING_ALL.has(code) ? { usage: '' } : {};
  if (kind === 'usage') return new UsageError(message, { fieldErrors, hint, ...usage });
  return new ServiceUnfitError(kind, code, message, hint);
}
