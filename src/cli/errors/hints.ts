import type { Advice } from '../../client/errors.ts';
import { totalNames } from '../../domain/amounts/totals.ts';
import { fieldsIn, recordsIn } from '../../domain/json/values.ts';
import { adviceWordings, shellWord } from './advice.ts';
import { say } from './texts.ts';

/** The known facts of an error. */
interface Reported {
  readonly [name: string]: unknown;
  readonly advice?: Advice;
}

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
  return isSum ? say().hint.sums : undefined;
}

/** A workbook's notes often come before its table. */
function ofSheets(error: Reported): string[] {
  const { sheets } = factsOf(error);
  return sheets === undefined ? [] : [say().hint.sheets({ sheets })];
}

/** What to do about columns that are not fields of the command. */
function ofColumns({ columns, unmapped, file, command, fits }: Facts): string[] {
  if (columns === undefined) return [];
  if (fits !== undefined) return [say().hint.columnsOfOther({ flag: `--do ${word(fits)}` })];
  const leaving = unmapped === 'all' ? [] : [say().hint.ignoreColumns];
  if (unmapped === undefined || file === undefined) return leaving;
  const doing = command === undefined || command === 'ship' ? '' : ` --do ${word(command)}`;
  return [say().hint.mapColumns({ command: `shopctl batch map ${word(file)}${doing} --save NAME` }), ...leaving];
}

/** What to do about a request that did not arrive, by cause. */
function ofNetwork(failure: unknown): string {
  const { other, ...causes } = say().hint.network;
  const known: Readonly<Record<string, string>> = causes;
  return known[String(failure)] ?? other;
}

/** How to obtain a key of each kind. */
function ofCredential(credential: string | undefined): string | undefined {
  if (credential === 'partner-api-key') return say().hint.partnerKey;
  if (credential === 'shop-key') return say().hint.shopKey;
  return credential === 'shop-api-key' ? say().hint.ownKey : undefined;
}

/** How to word each advice, by name. */
export const advised: { readonly [Name in Advice['name']]: (facts: Advice['facts']) => string } = {
  forget_draft: ({ draft }) => say().advised.forgetDraft({ command: `shopctl ship drafts remove ${word(draft)}` }),
  find_out_by_draft: ({ draft }) => say().advised.findOutByDraft({ command: `shopctl ship --resume ${word(draft)}` }),
  send_draft_anew: ({ draft }) => say().advised.sendDraftAnew({ command: `shopctl ship --resume ${word(draft)}` }),
};

/** What to do next on a command line, by error code, for failures without their own hint. */
export const hints: Readonly<Record<string, (error: Reported) => string | undefined>> = {
  mirror_full: () => say().hint.mirrorFull,
  mirror_busy: () => say().hint.mirrorBusy,
  mirror_damaged: () => say().hint.mirrorDamaged,
  // The words of the database itself.
  sql_error: ({ message }) =>
    /no such (table|column)|(relation|column) .* does not exist/.test(String(message))
      ? say().hint.sqlNames
      : undefined,
  mirror_missing: () => say().advice.syncMirror,
  mirror_area_missing: () => say().advice.syncMirror,
  cod_unknown: () => say().hint.codUnknown,
  cod_other_carrier: () => say().hint.codOtherCarrier,
  cod_ambiguous: () => say().hint.codAmbiguous,
  cod_closed: (error) =>
    say().hint.codClosed({ command: `shopctl cod close ${word(metaOf(error).session, 'SESSION')} --undo` }),
  mirror_needs_shop_key: () => ofCredential('shop-api-key'),
  // The control commands of a sandbox are not operations of the service, and need none of these keys.
  unauthenticated: ({ operation }) => (operation === undefined ? undefined : say().hint.unauthenticated),
  network: ({ failure }) => ofNetwork(failure),
  base_url_invalid: () => say().hint.baseUrl,
  credential_missing: (error) => ofCredential(factsOf(error).credential),
  credential_malformed: (error) => ofCredential(factsOf(error).credential),
  key_bound_elsewhere: (error) =>
    say().hint.keyElsewhere({ command: `shopctl profiles add NAME --base-url ${word(factsOf(error).origin, 'URL')}` }),
  sent_before: () => say().hint.sentBefore,
  fee_above_max: () => say().hint.feeAboveMax,
  bad_route: () => say().hint.badRoute,
  internal_error: ({ outcome }) => (outcome === 'unknown' ? say().hint.bugInBatch : say().hint.bug),
  invalid_request: ofSums,
  fee_changed: () => say().hint.feeChanged,
  cells_wrong: (error) => {
    return [...ofSheets(error), ...ofColumns(factsOf(error))].join('; ') || undefined;
  },
  sheet_unreadable: (error) => {
    const { formats, layouts, file, places, flags = '', header_row: row } = factsOf(error);
    const typed = flags.split('\n').map((flag) => (flag === '' ? '' : ` ${shellWord(flag)}`));
    const naming = [
      ...(formats === undefined ? [] : [say().hint.chooseFormat({ formats })]),
      ...(row === undefined ? [] : [say().hint.chooseHeaderRow]),
    ];
    const making = { command: `shopctl cod map ${word(file, 'FILE')} --save NAME` };
    const reading = { command: `shopctl cod import ${word(file, 'FILE')} --layout ${word(places)}${typed.join('')}` };
    const mapping =
      layouts === undefined
        ? []
        : [
            ...(places ? [say().hint.readSo(reading)] : []),
            places === undefined ? say().hint.makeLayoutOrRead(making) : say().hint.makeLayout(making),
          ];
    return [...ofSheets(error), ...naming, ...mapping].join('; ') || undefined;
  },
  sqlite_unavailable: ({ fault, headers }) => {
    const cure = fault === 'unbuilt' ? adviceWordings.rebuild_sqlite : adviceWordings.install_sqlite;
    return say().hint.sqlite({ cure: cure(typeof headers === 'string' ? { headers } : {}) });
  },
  workspace_elsewhere: () => say().hint.workspaceElsewhere,
  workspace_newer: () => say().hint.workspaceNewer,
  workspace_older: () => say().hint.workspaceOlder,
  workspace_moved: () => say().hint.workspaceMoved,
  workspace_restored: () => say().hint.workspaceRestored,
  workspace_io: () => say().hint.workspaceIo,
  workspace_full: () => say().hint.workspaceFull,
  differs: () => say().hint.differs,
  already_over: () => say().hint.alreadyOver,
  not_shipped: (error) => say().hint.notShipped({ command: `shopctl orders confirm ${word(metaOf(error).id)}` }),
  other_family: () => say().hint.otherFamily,
  other_address: (error) => {
    const addresses = `${word(metaOf(error).known)} ${word(metaOf(error).address)}`;
    return say().hint.otherAddress({
      same: `shopctl workspace address same ${addresses}`,
      separate: `shopctl workspace address separate ${addresses}`,
    });
  },
  held_by: (error) => {
    const { intent, holder } = metaOf(error);
    return intent === undefined
      ? say().hint.heldBy({ holder: String(holder) })
      : say().hint.heldByWrite({ command: `shopctl ledger settle ${word(intent)}` });
  },
  draft_not_found: () => say().hint.draftNotFound,
  // Where none was named, there is none.
  batch_not_found: ({ missing }) => (missing === undefined ? undefined : say().hint.batchNotFound),
  batch_ambiguous: () => say().hint.batchNotFound,
  write_not_found: () => say().hint.writeNotFound,
  draft_unsettled: (error) => say().hint.see({ command: `shopctl ship drafts show ${word(factsOf(error).draft)}` }),
  draft_elsewhere: (error) => (factsOf(error).row === undefined ? say().hint.draftElsewhere : say().hint.rowElsewhere),
};

/** What to do next about a failure on a command line; undefined if there is no hint. */
export function hintFor(code: string, error: Reported): string | undefined {
  if (error.advice !== undefined) {
    const { name, facts } = error.advice;
    return advised[name](facts);
  }
  if (Object.hasOwn(hints, code)) return hints[code]?.(error);
  const { retryAfterMs } = error;
  return typeof retryAfterMs === 'number' ? say().hint.wait({ seconds: Math.ceil(retryAfterMs / 1000) }) : undefined;
}
