import type { Advice } from '../../client/errors.ts';
import { totalNames } from '../../domain/amounts/totals.ts';
import { fieldsIn, recordsIn } from '../../domain/json/values.ts';
import { adviceWordings, shellWord } from './advice.ts';

/** The known facts of an error. */
interface Reported {
  readonly [name: string]: unknown;
  readonly advice?: Advice;
}

const OF_BUG = 'this is a bug in shopctl; --debug shows where';
const OF_BUG_IN_BATCH =
  'this is a bug in shopctl; --debug shows where; the same again looks up first what was sent; `shopctl ledger list` shows what nobody knows';

/** What is known besides, as texts. */
type Facts = Readonly<Record<string, string | undefined>>;

function textsIn(value: unknown): Facts {
  const given = Object.entries(fieldsIn(value)).filter(([, fact]) => fact !== undefined && fact !== null);
  return Object.fromEntries(given.map(([name, fact]) => [name, String(fact)]));
}

const metaOf = ({ meta }: Reported): Facts => textsIn(meta);

const factsOf = ({ facts }: Reported): Facts => textsIn(facts);

/** A fact as one word of a command line; what stands for it if it is not known. */
const word = (fact: string | undefined, otherwise = 'ID') => (fact === undefined ? otherwise : shellWord(fact));

/** Wrong sums can be fixed by a command. */
function ofSums({ fieldErrors }: Reported): string | undefined {
  const isSum = recordsIn(fieldErrors).some(({ path }) => totalNames.some((name) => name === path));
  return isSum ? '`shopctl totals fill FILE` completes the sums of an order' : undefined;
}

/** A workbook's notes often come before its table. */
function ofSheets(error: Reported): string[] {
  const { sheets } = factsOf(error);
  return sheets === undefined ? [] : [`--sheet NAME reads another sheet of the workbook: ${sheets}`];
}

/** What to do about columns that are not fields of the command. */
function ofColumns({ columns, unmapped, file, command, fits }: Facts): string[] {
  if (columns === undefined) return [];
  if (fits !== undefined) return [`these are columns of another command: add --do ${word(fits)}`];
  const leaving = unmapped === 'all' ? [] : ['--ignore-columns leaves columns out'];
  if (unmapped === undefined || file === undefined) return leaving;
  const doing = command === undefined || command === 'ship' ? '' : ` --do ${word(command)}`;
  return [`\`shopctl batch map ${word(file)}${doing} --save NAME\` maps the columns to fields`, ...leaving];
}

const otherNetwork =
  'is the service running and the address right? `shopctl config list --show-origin` shows the address';

/** What to do about a request that did not arrive, by cause. */
const ofNetwork: Readonly<Record<string, string>> = {
  refused: 'is the service running, and the base url right?',
  unresolved: 'check the host of the base url and the network',
  plain: 'an http address is only used on this machine: is the port of the base url right?',
  tls: 'a certificate of your own authority can be given with NODE_EXTRA_CA_CERTS',
  proxy: 'check HTTPS_PROXY, HTTP_PROXY and NO_PROXY',
  timeout: 'a longer limit can be given with --timeout',
};

/** When a service accepts another attempt. */
const ofWait = (delayMs: number) => `the service asks to wait ${Math.ceil(delayMs / 1000)} s before the next attempt`;

/** How to obtain a key of each kind. */
const ofCredential: Readonly<Record<string, string>> = {
  'partner-api-key':
    'set up a profile with `shopctl auth setup`, or set SHOPCTL_API_KEY to the API key that the operator gave the partner',
  'shop-key': 'connect a shop with `shopctl auth login`, choose one with --shop, or set SHOPCTL_SHOP_KEY',
  'shop-api-key':
    "use a profile of the kind shop, or set SHOPCTL_AS=shop and SHOPCTL_API_KEY to the shop's own API key",
};

/** How to word each advice, by name. */
export const advised: { readonly [Name in Advice['name']]: (facts: Advice['facts']) => string } = {
  forget_draft: ({ draft }) =>
    `\`shopctl ship drafts remove ${word(draft)}\` removes it; then the same order can be sent again`,
  find_out_by_draft: ({ draft }) =>
    `\`shopctl ship --resume ${word(draft)}\` checks whether it was created, and never ships it twice`,
  send_draft_anew: ({ draft }) => `nothing was sent; \`shopctl ship --resume ${word(draft)}\` sends it as a new order`,
};

/** What to do next on a command line, by error code, for failures without their own hint. */
export const hints: Readonly<Record<string, (error: Reported) => string | undefined>> = {
  mirror_full: () => 'free some space, then sync again: it continues after the last page that was stored',
  mirror_busy: () => 'once it has ended, run the same again; `shopctl mirror status` shows how far it is',
  mirror_damaged: () => '`shopctl mirror forget` deletes it, and then `shopctl mirror sync` copies the shop again',
  sql_error: ({ message }) =>
    /no such (table|column)|(relation|column) .* does not exist/.test(String(message))
      ? '`shopctl mirror tables` lists the tables and views, `shopctl mirror schema` their columns'
      : undefined,
  mirror_missing: () => '`shopctl mirror sync` copies the shop',
  mirror_area_missing: () => '`shopctl mirror sync` copies the shop',
  cod_unknown: () => 'see `shopctl cod list`',
  cod_other_carrier: () =>
    '`--session NAME` gives the file a session of its own, `shopctl cod forget FILE` deletes the other one',
  cod_ambiguous: () => 'name one by its id',
  cod_closed: (error) => `\`shopctl cod close ${word(factsOf(error).session, 'SESSION')} --undo\` opens it again`,
  mirror_needs_shop_key: () => ofCredential['shop-api-key'],
  // The control commands of a sandbox are not operations of the service, and need none of these keys.
  unauthenticated: ({ operation }) =>
    operation === undefined
      ? undefined
      : 'the key was not accepted: see `shopctl auth status`, or sign in again with `shopctl auth login`',
  network: ({ failure }) => ofNetwork[String(failure)] ?? otherNetwork,
  base_url_invalid: () => 'give it as https://HOST, with --base-url, SHOPCTL_BASE_URL or in the profile',
  credential_missing: (error) => ofCredential[factsOf(error).credential ?? ''],
  credential_malformed: (error) => ofCredential[factsOf(error).credential ?? ''],
  key_bound_elsewhere: (error) =>
    `add a profile for it with \`shopctl profiles add NAME --base-url ${word(factsOf(error).origin, 'URL')}\``,
  sent_before: () =>
    'nothing was sent; --again sends another order like it; an external_id of its own tells equal orders apart',
  fee_above_max: () => 'nothing was sent; `shopctl quote` lists the offers',
  bad_route: () =>
    'is the base url right (it ends before /v1), and the operation one of those that `shopctl commands` lists?',
  internal_error: ({ outcome }) => (outcome === 'unknown' ? OF_BUG_IN_BATCH : OF_BUG),
  invalid_request: ofSums,
  fee_changed: () => 'nothing was sent; --yes with --max-fee accepts a changed fee up to that limit',
  cells_wrong: (error) => {
    return [...ofSheets(error), ...ofColumns(factsOf(error))].join('; ') || undefined;
  },
  sheet_unreadable: (error) => {
    const { formats, layouts, file, places } = factsOf(error);
    const naming = formats === undefined ? [] : [`choose one with --format: ${formats}`];
    const mapping =
      layouts === undefined
        ? []
        : [
            ...(places ? [`\`shopctl cod import ${word(file, 'FILE')} --layout ${word(places)}\` reads it so`] : []),
            `\`shopctl cod map ${word(file, 'FILE')} --save NAME\` makes a layout from its headers${places === undefined ? '; --layout vtp reads by position' : ''}`,
          ];
    return [...ofSheets(error), ...naming, ...mapping].join('; ') || undefined;
  },
  sqlite_unavailable: ({ fault, headers }) => {
    const cure = fault === 'unbuilt' ? adviceWordings.rebuild_sqlite : adviceWordings.install_sqlite;
    return `${cure(typeof headers === 'string' ? { headers } : {})}; Node 22.13 and newer need nothing`;
  },
  workspace_elsewhere: () =>
    '`shopctl workspace move` moves it to the workspace in use; or set SHOPCTL_STATE_DIR or SHOPCTL_WORKSPACE to use the other one',
  workspace_newer: () =>
    'use the version that wrote it; or set SHOPCTL_STATE_DIR or SHOPCTL_WORKSPACE to another place for this one',
  workspace_older: () =>
    'keep it for that version, and set SHOPCTL_STATE_DIR or SHOPCTL_WORKSPACE to another place for this one',
  workspace_moved: () =>
    'set SHOPCTL_STATE_DIR or SHOPCTL_WORKSPACE to the new location; `shopctl workspace move` moves it back here if this is a file',
  workspace_restored: () => 'run the same command again: it first looks up what may have been sent since',
  workspace_io: () =>
    'is its disk full or failing, or the limit of file sizes (ulimit -f) too low? After that, run the same command again',
  workspace_full: () => 'free some space, then run the same command again: it first checks what was sent',
  differs: () => 'an external_id of its own makes it another record',
  already_over: () => 'nothing was sent; --again sends it as a new one',
  not_shipped: (error) => `\`shopctl orders confirm ${word(metaOf(error).id)}\` confirms it`,
  other_family: () => 'nothing was sent; --again sends it with this key, too',
  other_address: (error) => {
    const [one, other] = [word(metaOf(error).known), word(metaOf(error).address)];
    return `say whether they are one: \`shopctl workspace address same ${one} ${other}\`, or \`shopctl workspace address separate ${one} ${other}\``;
  },
  held_by: (error) => {
    const { intent, holder } = metaOf(error);
    return intent === undefined
      ? `\`shopctl batch resume\` checks whether it was created (${holder})`
      : `check at the service, then record the answer with \`shopctl ledger settle ${word(intent)} --done\` or \`--not-done\``;
  },
  draft_not_found: () => 'see `shopctl ship drafts list`',
  write_not_found: () => '`shopctl ledger list` shows the writes whose outcome is unknown',
  draft_unsettled: (error) => `see \`shopctl ship drafts show ${word(factsOf(error).draft)}\``,
  draft_elsewhere: (error) =>
    factsOf(error).row === undefined
      ? 'choose the profile of that account with --profile'
      : '`shopctl batch settle BATCH ROW --done` or `--not-done` settles it',
};

/** What to do next about a failure on a command line; undefined if there is no hint. */
export function hintFor(code: string, error: Reported): string | undefined {
  if (error.advice !== undefined) {
    const { name, facts } = error.advice;
    return advised[name](facts);
  }
  if (Object.hasOwn(hints, code)) return hints[code]?.(error);
  return typeof error.retryAfterMs === 'number' ? ofWait(error.retryAfterMs) : undefined;
}
