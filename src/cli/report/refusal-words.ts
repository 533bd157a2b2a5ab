import type { Action } from '../../action/action.ts';
import type { Facts, Refusal } from '../../client/refusal.ts';
import { allSettings } from '../../settings/in-force.ts';
import { shellWord } from '../errors/advice.ts';
import { say } from '../errors/texts.ts';
import { ConfigurationError, PolicyError, ServiceUnfitError, UsageError } from '../errors/usage-error.ts';
import type { Flag } from '../flags/command.ts';
import { spelledIn } from '../flags/field-names.ts';

/** Spells a field as a person gives it: by its flag, or by its position. */
type Spell = (path: string) => string;

/** The wording of a refusal on a command line, and its hint; the refusal's own message when absent. */
interface Wording {
  readonly message?: (facts: Facts, spell: Spell) => string;
  readonly hint?: (facts: Facts, spell: Spell) => string | undefined;
}

const fieldsOf = ({ fields }: Facts) => (Array.isArray(fields) ? fields.map(String) : []);

/** A fact as one word of a command line. */
const word = (fact: Facts[string] | undefined) => shellWord(String(fact));

const namesOf = (fact: Facts[string] | undefined): readonly string[] => (Array.isArray(fact) ? fact.map(String) : []);

/** Which shops can be named instead of one that is not known, or how one is signed in whose id is given. */
export function shopsInWords({ shop, shops, near }: Facts): string {
  if (/^\d+$/.test(String(shop)))
    return say().refusal.signShopIn({ command: `shopctl auth login --shop-id ${word(shop)}` });
  const names = namesOf(shops);
  if (names.length === 0) return say().refusal.noShop;
  return near === undefined ? say().refusal.shops({ names }) : say().refusal.shopMeant({ near: String(near), names });
}

/** A setting as it was given: by its flag, or by its variable. */
function flagOfSetting({ setting, origin, expected }: Facts): string {
  const [, found] = allSettings.find(([key]) => key === setting) ?? [];
  const name = origin === 'flag' ? `--${found?.flag?.name}` : found?.variable;
  return say().refusal.settingMust({ setting: String(name), must: String(expected) });
}

/** The flag of a setting by its name in the code. */
const settingFlag = (setting: Facts[string] | undefined) =>
  `--${allSettings.find(([key]) => key === setting)?.[1].flag?.name}`;

/** How a setting that no profile keeps is given: by its flag, or by its variable. */
function waysToGive({ setting }: Facts): readonly string[] {
  const [, { flag, variable } = {}] = allSettings.find(([, { name }]) => name === setting) ?? [];
  const lasting = setting === 'profile' ? ['`shopctl profiles use NAME`'] : [];
  return [...lasting, ...(flag === undefined ? [] : [`--${flag.name}`]), ...(variable ? [variable] : [])];
}

/** The flag that gives what an order lacks. */
function flagOfOrder(name: string): string {
  if (name === 'order') return '--input FILE';
  if (name === 'pick') return say().refusal.pickFlag;
  return name === 'agreement' ? '--yes' : name;
}

/** What an order lacks besides its fields. */
const unsaidInWords = (name: string): string =>
  name === 'agreement' ? say().refusal.costsMoney : say().refusal.flagMissing({ flag: `--${name}` });

/** What answers the questions about a file, as flags. */
function answersInFlags({ fields, values }: Facts, spell: Spell): readonly string[] {
  const given = Array.isArray(fields) && Array.isArray(values) ? fields.map((field, at) => [field, values[at]]) : [];
  return given.map(([field, value]) => {
    if (value === '') return spell(field);
    return `${spell(field)} ${/^[a-z|]+$/.test(value) ? value : word(value)}`;
  });
}

/** A command about a batch. */
const ofBatch = (words: string, batch: Facts[string] | undefined, flags = '') => ({
  command: `shopctl batch ${words} ${word(batch)}${flags}`,
});

/** The wording of refusals, by code. */
export const refusalWordings: Readonly<Record<string, Wording>> = {
  policy_not_accepted: { hint: () => say().refusal.policyNotAccepted },
  policy_invalid: { hint: () => say().refusal.policyInvalid },
  batch_unfinished: { hint: ({ batch }) => say().refusal.batchUnfinished(ofBatch('resume', batch)) },
  plan_unknown: { hint: () => say().refusal.plans },
  plan_missing: { hint: () => say().refusal.plans },
  approval_needed: { hint: ({ next }) => say().refusal.approvalNeeded({ command: String(next) }) },
  person_runs: { hint: ({ command }) => say().refusal.personRuns({ command: String(command) }) },
  plan_elsewhere: { hint: ({ profile }) => say().refusal.give({ flag: `--profile ${word(profile)}` }) },
  setting_invalid: { message: flagOfSetting },
  setting_unknown: { hint: (facts) => say().refusal.settings({ names: namesOf(facts.settings) }) },
  setting_not_kept: {
    hint: (facts) => say().refusal.settingNotKept({ ways: waysToGive(facts), names: namesOf(facts.settings) }),
  },
  profile_unknown: {
    hint: ({ profiles }) => {
      const names = namesOf(profiles);
      return names.length === 0 ? say().refusal.addProfile : say().refusal.profiles({ names });
    },
  },
  profile_mismatch: { hint: ({ variable }) => say().refusal.profileMismatch({ variable: String(variable) }) },
  profile_not_fresh: { hint: ({ profiles }) => say().refusal.profileNotFresh({ names: namesOf(profiles) }) },
  setting_elsewhere: {
    message: ({ setting }) => say().refusal.settingElsewhere({ flag: settingFlag(setting) }),
    hint: ({ setting }) => say().refusal.leaveOut({ flag: settingFlag(setting) }),
  },
  profile_of_shop: { hint: () => say().refusal.profileOfShop },
  profile_of_other: { hint: () => say().refusal.profileOfOther },
  profile_elsewhere: { hint: () => say().refusal.profileElsewhere },
  shop_not_signed_in: { hint: shopsInWords },
  shop_or_all: { message: () => say().refusal.shopOrAll },
  shop_unsaid: { message: () => say().refusal.shopUnsaid },
  key_to_nobody: { message: () => say().refusal.keyToNobody },
  nobody_to_ask: { hint: () => say().refusal.nobodyToAsk },
  order_incomplete: {
    message: ({ wrong, unsaid }) =>
      [...(Array.isArray(wrong) ? wrong : []), ...(Array.isArray(unsaid) ? unsaid : []).map(unsaidInWords)].join('; '),
  },
  name_unknown: {
    hint: ({ text, list }) => {
      const flag = `--match ${word(text)}`;
      return list === undefined
        ? say().refusal.nameUnknown({ flag })
        : say().refusal.nameUnlisted({ command: `shopctl ${String(list)} ${flag}` });
    },
  },
  name_shared: { hint: () => say().refusal.nameShared },
  picked_up: { hint: () => say().refusal.pickedUp },
  not_picked_up: { hint: () => say().refusal.notPickedUp },
  order_missing: {
    message: ({ missing }) => say().refusal.orderMissing({ flags: namesOf(missing).map(flagOfOrder) }),
    hint: () => say().refusal.skeleton,
  },
  message_missing: { hint: () => say().refusal.messageMissing },
  draft_or_order: { message: () => say().refusal.draftOrOrder },
  question_unanswered: { hint: () => say().refusal.questionUnanswered },
  draft_in_doubt: {
    message: ({ draft }) => say().refusal.draftInDoubt({ draft: String(draft) }),
    hint: ({ draft, state }) =>
      state === 'damaged'
        ? say().refusal.lookForOrder
        : say().refusal.settles({ command: `shopctl ship --resume ${word(draft)}` }),
  },
  key_malformed: { hint: () => say().refusal.keyMalformed },
  key_refused: {
    hint: ({ other_kind }) =>
      other_kind === undefined
        ? say().refusal.keyRefused
        : say().refusal.keyOfOtherKind({ flag: `--kind ${String(other_kind)}` }),
  },
  key_untried: { hint: () => say().refusal.keyUntried },
  no_account: { hint: () => say().refusal.noAccount },
  key_missing: { hint: () => say().refusal.keyMissing },
  mapping_exists: { hint: () => say().refusal.mappingExists },
  profile_exists: { hint: () => say().refusal.profileExists },
  no_profile: { hint: () => say().refusal.noProfile },
  no_profile_named: { hint: () => say().refusal.noProfileNamed },
  keys_stay: { hint: () => say().refusal.keysStay },
  address_missing: { message: () => say().refusal.addressMissing },
  no_service: { hint: () => say().refusal.noService },
  command_unknown: {
    hint: ({ near, known }) =>
      near === undefined
        ? say().refusal.oneOf({ names: namesOf(known) })
        : say().refusal.commandMeant({ command: `shopctl schema ${String(near)}` }),
  },
  api_table: {
    hint: ({ command }) =>
      command === undefined
        ? say().refusal.jsonOrYaml
        : say().refusal.hasTable({ command: `shopctl ${String(command)}` }),
  },
  operation_path: { hint: () => say().refusal.operationPath },
  both_given: { message: (facts, spell) => say().refusal.bothGiven({ names: fieldsOf(facts).map(spell) }) },
  rows_shared: {
    hint: ({ batch }) =>
      batch === undefined ? say().refusal.rowsAgain : say().refusal.rowsShared({ flag: `--continue ${word(batch)}` }),
  },
  cells_wrong: {
    hint: ({ unmapped, file }) =>
      unmapped === 'constants'
        ? say().refusal.mapConstants({ command: `shopctl batch map ${word(file)} --save NAME` })
        : say().refusal.skipBad,
  },
  resend_by_name: { hint: () => say().refusal.resendByName },
  resend_unknown: { hint: () => say().refusal.resendUnknown },
  status_unreadable: { hint: () => say().refusal.statusUnreadable },
  questions_open: {
    message: (facts, spell) =>
      say().refusal.questionsOpen({ questions: String(facts.questions), flags: answersInFlags(facts, spell) }),
    // Somebody who was asked would rather stop.
    hint: ({ asked }) => (asked === true ? undefined : say().refusal.terminalAsks),
  },
  no_fitting_offer: { hint: () => say().refusal.noFittingOffer },
  records_gone: {
    hint: ({ batch, open }) =>
      open === undefined
        ? say().refusal.recordsGone(ofBatch('forget', batch))
        : say().refusal.recordsOpen(ofBatch('rows', batch, ' --state sending')),
  },
  backup_by_server: { hint: () => say().refusal.backupByServer },
  of_all_shops: { hint: () => say().refusal.ofAllShops },
  of_other_shop: { hint: () => say().refusal.ofOtherShop },
  shop_of_partner: { hint: () => say().refusal.shopOfPartner },
  workbook_changed: { hint: () => say().refusal.workbookChanged },
  plan_stale: { hint: () => say().refusal.planStale },
  batch_elsewhere: {
    hint: ({ of_profile, of_shop }) =>
      of_profile === undefined
        ? say().refusal.batchElsewhere
        : say().refusal.add({
            flags: `--profile ${word(of_profile)}${of_shop === undefined ? '' : ` --shop ${word(of_shop)}`}`,
          }),
  },
  batch_open: { hint: ({ batch }) => say().refusal.batchOpen(ofBatch('resume', batch)) },
  row_not_unclear: { hint: ({ batch }) => say().refusal.rows(ofBatch('rows', batch)) },
  nothing_made: { hint: ({ batch }) => say().refusal.rows(ofBatch('rows', batch)) },
  batch_unclear: {
    hint: ({ batch }) =>
      say().refusal.batchUnclear({
        resume: ofBatch('resume', batch).command,
        rows: ofBatch('rows', batch, ' --state unclear').command,
      }),
  },
  options_differ: { hint: () => say().refusal.optionsDiffer },
  orders_unsaid: { hint: () => say().refusal.ordersUnsaid },
  printer_missing: { hint: () => say().refusal.printerMissing },
  to_missing: { hint: () => say().refusal.toMissing },
  file_missing: { hint: () => say().refusal.fileMissing },
};

/** Codes of refusals whose message says what to give: the usage would add nothing. */
const SAYING_ALL: ReadonlySet<string> = new Set([
  'not_confirmed',
  'format_unknown',
  'moment_unreadable',
  'duration_unreadable',
]);

/** The name of a field where people give it. */
type NamedField = Pick<Flag, 'name' | 'path'>;

function spelling({ hints }: Action, flags: readonly NamedField[]): Spell {
  return (path) => {
    const flag = flags.find((candidate) => candidate.path?.join('.') === path);
    return flag === undefined ? (hints?.[path]?.placeholder?.toLowerCase() ?? path) : `--${flag.name}`;
  };
}

/** A refusal in the words of the command line: the action's fields are flags, and a hint says what to type. */
export function inWords(refusal: Refusal, action?: Action, flags: readonly NamedField[] = []): Error {
  const { kind, code, facts, fieldErrors } = refusal;
  const spell: Spell = action === undefined ? (path) => path : spelling(action, flags);
  const wording = Object.hasOwn(refusalWordings, code) ? refusalWordings[code] : undefined;
  const reported =
    code === 'invalid_input'
      ? fieldErrors
          .map(({ path, message }) => say().refusal.field({ field: spell(path), what: spelledIn(message, spell) }))
          .join('; ')
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
