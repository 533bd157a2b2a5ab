import * as z from 'zod';
import type { Choice, Ports } from '../../action/ports.ts';
import { CallError, ServiceError } from '../../client/errors.ts';
import { Refusal } from '../../client/refusal.ts';
import { type LocationTree, matchPlace } from '../../domain/places/places.ts';
import type { Answer } from '../../ledger/intents/answers.ts';
import type { DraftAddress, OrderDraft } from '../../ledger/order-draft.ts';
import { QuoteRefused } from '../pick-quote.ts';
import { nearGiven } from '../questions/address-step.ts';
import { changeText, type ShipState } from '../questions/conversation.ts';
import { inWordsOfQuestions } from '../questions/field-words.ts';
import { answeredSteps, CHANGE } from '../questions/next-step.ts';
import { say } from '../texts.ts';

/**
 * Adds to the service's refusal what an unlisted place in the order may have meant. Our list is not consulted before: a
 * service may know more places than we do.
 */
export async function withPlaceHint(error: unknown, { shipping_address, shipping }: OrderDraft): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.code !== 'invalid_argument' || error.hint !== undefined) return error;
  const { locationTree } = await import('../../domain/places/place-data.ts');
  const addresses: readonly (readonly [string, DraftAddress | null | undefined])[] = [
    ['shipping_address', shipping_address],
    ['shipping.pickup_address', shipping?.pickup_address],
  ];
  const hints = addresses.flatMap(([path, address]) => {
    const { province, district, ward } = address ?? {};
    if (!address || matchPlace(locationTree, { province, district, ward }).kind === 'found') return [];
    const near = nearGiven(locationTree, address).slice(0, 3);
    return near.length === 0 ? [] : [say().wizard.didYouMean({ path, names: near })];
  });
  if (hints.length === 0) return error;
  const { operation = '', code, message, meta, status, outcome } = error;
  const hinted = new ServiceError(operation, { code, msg: message, meta, status, outcome, hint: hints.join(' ') });
  hinted.fieldErrors = error.fieldErrors;
  return hinted;
}

/** The parts of a refusal that are used. */
interface Refused {
  readonly message: string;
  readonly meta?: Readonly<Record<string, string>>;
  readonly fieldErrors?: readonly { readonly path: string }[];
}

/** The question that asks for a field of the request; the first matching pattern wins. */
const questionOfPath: readonly (readonly [RegExp, string])[] = [
  [/^(?:shipping|customer)_address\.(?:province|district|ward)$/, 'recipient.place'],
  [/^(?:shipping|customer)_address\.(full_name|phone|address1)$/, 'recipient.$1'],
  [/^(?:shipping|customer)_address\b/, 'recipient'],
  [/^(?:shipping\.)?pickup_address\.(?:province|district|ward)$/, 'pickup.place'],
  [/^(?:shipping\.)?pickup_address\.(full_name|phone|address1)$/, 'pickup.$1'],
  [/^(?:shipping\.)?pickup_address\b/, 'pickup'],
  [/^lines\[(\d+)\]\.(product_name|quantity|retail_price|payment_price)$/, 'lines[$1].$2'],
  [/^(?:lines|basket_value|total_items)\b/, 'lines'],
  [/^order_discount$/, 'fees.discount'],
  [/^(?:fee_lines|total_fee|total_discount|total_amount)\b/, 'fees'],
  [/^(?:shipping\.)?(?:gross_weight|chargeable_weight|length|width|height)$/, 'parcel'],
  [/^(?:shipping\.)?cod_amount$/, 'cod'],
  [/^(?:shipping\.)?include_insurance$/, 'insurance'],
  [/^(?:shipping\.)?try_on$/, 'try_on'],
  [/^(?:shipping\.)?shipping_note$/, 'note'],
  [/^(?:shipping\.)?(?:shipping_service_\w+|carrier|connection_id)$/, 'service'],
];

function questionOf(path: string): string | undefined {
  for (const [pattern, question] of questionOfPath) {
    const match = pattern.exec(path);
    if (match !== null) return question.replaceAll(/\$(\d)/g, (_, group) => match[Number(group)] ?? '');
  }
  return undefined;
}

/** The fields that a refusal names: in its meta or field errors, else as words of its message. */
function pathsOf({ message, meta, fieldErrors }: Refused): string[] {
  const named = [...(fieldErrors ?? []).map(({ path }) => path), ...(meta?.field ? [meta.field] : [])];
  return named.length > 0 ? named : (message.match(/[a-z_]+(?:\[\d+\])?(?:\.[a-z_0-9]+)*/g) ?? []);
}

function isUnknownPlace(tree: LocationTree, address: DraftAddress | null | undefined): boolean {
  const { province, district, ward } = address ?? {};
  return matchPlace(tree, { province, district, ward }).kind !== 'found';
}

/**
 * The question, or step, whose answer a refusal is about: by the field that it names, else a place that our list does
 * not know. Undefined if nothing indicates it.
 */
function refusedQuestion(refused: Refused, order: OrderDraft, tree: LocationTree): string | undefined {
  for (const path of pathsOf(refused)) {
    const question = questionOf(path);
    if (question !== undefined) return question;
  }
  if (isUnknownPlace(tree, order.shipping_address)) return 'recipient.place';
  return isUnknownPlace(tree, order.shipping?.pickup_address) ? 'pickup.place' : undefined;
}

/** Refusals that no other answer can fix. */
const ofTheKey: readonly string[] = ['unauthenticated', 'permission_denied'];
const mendedByAnswers: readonly string[] = [
  'invalid_argument',
  'failed_precondition',
  'out_of_range',
  'already_exists',
];

/** Whether another answer, or a retry, can fix it: certainly nothing was sent, and the key was not refused. */
function isForPerson(error: unknown): error is Error {
  if (error instanceof Refusal) return error.fieldErrors.length > 0;
  if (error instanceof QuoteRefused) return error.code === 'no_offer' || error.code === 'no_offer_in_time';
  if (!(error instanceof CallError) || error.outcome !== 'not_applied') return false;
  return ['service', 'network', 'request'].includes(error.kind) && !ofTheKey.includes(error.code);
}

function isMendable(error: Error): boolean {
  return error instanceof Refusal || (error instanceof CallError && mendedByAnswers.includes(error.code));
}

/** Asks what to do next: go on, as Enter alone does, change an answer, or something else. */
function whatNow(name: string, goOn: string, state: ShipState, others: readonly Choice[] = []) {
  const changes = answeredSteps(state).map((step) => ({ name: changeText(step), value: step }));
  const choices = [{ name: goOn, value: '' }, ...changes, ...others];
  return { name, message: say().wizard.whatNow, schema: z.string(), choices, initial: '' };
}

const changeOf = (choice: string): readonly Answer[] => [{ question: CHANGE, answer: choice }];

/** What a person does who does not want a parcel twice: changes an answer; undefined to leave it unsent. */
export async function insteadOfTwice({ person }: Ports, state: ShipState): Promise<readonly Answer[] | undefined> {
  const choice = await person.ask(whatNow('instead', say().menu.leaveUnsent, state));
  return choice === '' ? undefined : changeOf(choice);
}

/**
 * Asks a person what to do about a refusal: returns the answers to continue with, none to retry, `keep` to leave. If
 * the refused question is known, it is asked again at once. Undefined for a failure that cannot be fixed in the wizard.
 */
export async function afterRefusal(
  ports: Ports,
  thrown: unknown,
  state: ShipState,
): Promise<readonly Answer[] | 'keep' | undefined> {
  const { person, ui, signal } = ports;
  if (!isForPerson(thrown) || signal.aborted) return undefined;
  const { locationTree } = await import('../../domain/places/place-data.ts');
  const reported = ui.explain(await withPlaceHint(thrown, state.order));
  // Who typed the order knows the questions; who wrote a file of it, its fields.
  const worded = state.fromNothing ? inWordsOfQuestions : (text: string) => text;
  // Nobody refused anything where nobody answered.
  const isAway = thrown instanceof CallError && thrown.kind === 'network';
  const why = worded(reported.message);
  await person.tell(isAway ? why : say().wizard.refused({ why }));
  if (reported.hint !== undefined) await person.tell(worded(reported.hint));
  const target = isMendable(thrown) ? refusedQuestion(thrown, state.order, locationTree) : undefined;
  if (target !== undefined) return changeOf(target);
  const keep = { name: say().menu.keep, value: 'keep' };
  const choice = await person.ask(whatNow('after_refusal', say().menu.tryAgain, state, [keep]));
  if (choice === 'keep') return 'keep';
  return choice === '' ? [] : changeOf(choice);
}
