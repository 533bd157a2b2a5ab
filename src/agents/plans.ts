import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Action } from '../action/action.ts';
import { inRun } from '../action/means.ts';
import type { Ports } from '../action/ports.ts';
import { shopOfAccount } from '../client/account.ts';
import { invalidInput, Refusal } from '../client/refusal.ts';
import { countOf } from '../contract/control/texts.ts';
import { labels } from '../contract/labels.ts';
import { formatMoney } from '../domain/amounts/money.ts';
import { parseJson } from '../domain/json/json.ts';
import { type Fields, fieldsIn, isRecord, readFields, recordsIn } from '../domain/json/values.ts';
import { newId } from '../platform/process/new-id.ts';
import { escapeHidden } from '../platform/terminal/text-safety.ts';
import {
  actionCalled,
  commandOf,
  documentField,
  maskedSentence,
  maskedValue,
  planOptions,
  refuseHidden,
} from './closed-set.ts';
import { type Decision, decided, type Judged, policyInForce } from './policy.ts';
import { closedSetOf, type Desk } from './read.ts';
import { type Amounts, addPlan, changing, logged, plansOf, profileName, type StoredPlan } from './store.ts';
import { say } from './texts.ts';

/** How long a plan holds, and with it the approval of a person. */
const EXPIRES_MS = 15 * 60_000;
/** The most rows of a plan: a batch answers so many of them. */
const MOST_ROWS = 10_000;
/** The most warnings that an answer repeats. */
const MOST_WARNINGS = 20;

/** The commands that plan, run and show rows. */
const rowCommands = { plan: 'batch plan', run: 'batch run', show: 'batch show', rows: 'batch rows' } as const;

/** The action that does something with rows. */
export async function ofRows(name: keyof typeof rowCommands, { means }: Pick<Desk, 'means'>): Promise<Action> {
  const found = (await means.actions()).find((action) => commandOf(action) === rowCommands[name]);
  if (found === undefined) throw new TypeError(`there is no command ${rowCommands[name]}`);
  return found;
}

/** Works with a directory that is removed afterwards; what is in it is this user's alone. */
export async function inPlace<Result>(
  { children }: Pick<Ports, 'children'>,
  work: (file: (name: string) => string) => Promise<Result>,
): Promise<Result> {
  const directory = await children.temporaryDirectory();
  try {
    return await work((name) => join(directory.path, name));
  } finally {
    await directory.remove();
  }
}

/** One row of a plan: what is sent, by whom it travels, and for how much. */
interface SentRow {
  readonly row: number;
  readonly fee: number;
  readonly cod: number;
}

/** What the plan of a batch says about itself. */
export interface Sent extends Amounts {
  readonly account: string;
  readonly command: string;
  readonly carriers: readonly string[];
  readonly rows: readonly SentRow[];
  /** Of everything that is sent, and for which account; when it is delivered is no part of it. */
  readonly digest: string;
}

const numberIn = (value: unknown) => (typeof value === 'number' ? value : Number(value ?? 0) || 0);

/** What the content of a plan sends. Throws a Refusal for one that cannot be read. */
export function sentBy(content: string, profile: string): Sent {
  const plan = fieldsIn(parseJson(content));
  const rows = recordsIn(plan.rows).filter(({ payload }) => typeof payload === 'string' && payload !== '');
  const hash = createHash('sha256').update(JSON.stringify([profile, plan.account, plan.do, plan.options]));
  for (const { row, name, carrier, fee, payload } of rows)
    hash.update(`\n${JSON.stringify([row, name, carrier, fee, payload])}`);
  const sent = rows.map(({ row, fee, payload }): SentRow => {
    const { shipping } = fieldsIn(parseJson(String(payload)));
    return { row: numberIn(row), fee: numberIn(fee), cod: numberIn(fieldsIn(shipping).cod_amount) };
  });
  return {
    account: String(plan.account),
    command: String(plan.do),
    carriers: [...new Set(rows.flatMap(({ carrier }) => (typeof carrier === 'string' ? [carrier] : [])))],
    rows: sent,
    records: sent.length,
    fees: sent.reduce((sum, { fee }) => sum + fee, 0),
    cod: sent.reduce((sum, { cod }) => sum + cod, 0),
    digest: hash.digest('hex'),
  };
}

/** What a policy asks about a plan. */
export function judgedOf(sent: Sent, { settings }: Pick<Ports, 'settings'>): Judged {
  const id = shopOfAccount(sent.account);
  const { profile, shop } = settings;
  const name = id === null ? undefined : profile?.shops?.[id]?.name;
  const shops = [id, name, shop?.value].flatMap((one) => one ?? []);
  return { ...sent, shops };
}

/** What an agent asks to be planned. */
export interface PlanRequest {
  readonly command: string;
  readonly input?: Fields;
  readonly rows?: readonly unknown[];
  readonly options?: Fields;
}

/** The rows of a request, and the options beside them. Throws a Refusal. */
function rowsOf(action: Action, { input, rows, options = {} }: PlanRequest) {
  if ((input === undefined) === (rows === undefined))
    throw invalidInput([{ path: 'rows', message: 'give either input, for one row, or rows' }]);
  const field = documentField(action);
  const isWhole = input !== undefined && field !== undefined && isRecord(input[field]);
  if (isWhole) refuseHidden(action, input);
  const { [field ?? '']: document, ...beside } = isWhole ? input : {};
  const all = isWhole ? [document] : (rows ?? [input]);
  const given = { ...beside, ...options };
  const unknown = Object.keys(given).filter((name) => !planOptions.some((known) => known === name));
  const wrong = [
    ...unknown.map((path) => ({ path, message: `is no option of a plan: there are ${planOptions.join(', ')}` })),
    ...(all.length === 0 || all.length > MOST_ROWS
      ? [{ path: 'rows', message: `must be 1 to ${MOST_ROWS} rows` }]
      : []),
    ...(all.every(isRecord) ? [] : [{ path: 'rows', message: 'must be objects, keyed like the columns of a sheet' }]),
  ];
  if (wrong.length > 0) throw invalidInput(wrong);
  return { all, given };
}

/** What planning rows says of them, and the plan to run. */
interface Planned {
  readonly value: Fields;
  readonly content: string;
}

/** Plans rows as a batch does, which sends nothing. Throws what that throws. */
async function planRows(desk: Desk, command: string, rows: readonly unknown[], options: Fields) {
  const planner = await ofRows('plan', desk);
  return inRun(desk.means, { signal: desk.signal }, (opened) =>
    inPlace(opened.ports, async (file): Promise<Planned & { readonly ports: Ports }> => {
      const { files } = opened.ports;
      const [from, save] = [file('rows.json'), file('plan.json')];
      await files.write(from, JSON.stringify(rows));
      const input = await opened.check(planner, { ...options, file: from, do: command, save });
      const value = fieldsIn(await planner.run(input, opened.ports));
      const content = await files.read(save).catch(() => '');
      return { value, content, ports: opened.ports };
    }),
  );
}

/** What of a plan its content does not have: the values that an update replaces, by row. */
function replacedIn(value: Fields): string {
  const rows = recordsIn(value.rows).map(({ row, changes }) => ({ row, changes: recordsIn(changes) }));
  return JSON.stringify({ rows: rows.filter(({ changes }) => changes.length > 0) });
}

const shownText = (value: unknown) => escapeHidden(typeof value === 'number' ? formatMoney(value) : String(value));

/** Every value of a request, under its path. */
function valuesIn(value: unknown, path = ''): (readonly [path: string, text: string])[] {
  if (value === null || value === undefined || value === '') return [];
  if (typeof value !== 'object') return [[path, shownText(value)]];
  return Object.entries(value).flatMap(([name, item]) => valuesIn(item, path === '' ? name : `${path}.${name}`));
}

const placeIn = ({ address1, ward, district, province }: Fields) =>
  [address1, ward, district, province].filter(Boolean).map(shownText).join(', ');

/** What of a parcel stands in its own words, or is a sum of what does. */
const ofParcel =
  /^(?:external_id|total_\w+|basket_value|(?:shipping_address|shipping\.pickup_address)\.(?:full_name|phone|address1|ward|district|province)|lines\.\d+\.(?:product_name|quantity|(?:payment|retail|list)_price)|shipping\.(?:cod_amount|carrier|shipping_service_fee))$/;

/** A parcel as a person reads it: its name, to whom it goes, what is in it, where it is picked up. */
function parcelIn(request: Fields): string[] {
  const [to, from] = [fieldsIn(request.shipping_address), fieldsIn(fieldsIn(request.shipping).pickup_address)];
  const goods = recordsIn(request.lines).map((line) => {
    const prices = ['payment', 'retail', 'list'].map((name) => [name, line[`${name}_price`]] as const);
    const differing = prices.filter(([, price], at) => prices.findIndex((one) => one[1] === price) === at);
    const [first, ...others] = differing.flatMap(([name, price]) =>
      typeof price === 'number'
        ? [name === 'payment' ? formatMoney(price) : say().row.price({ kind: name, price })]
        : [],
    );
    const goods = `${shownText(line.quantity)} × ${shownText(line.product_name)}`;
    if (first === undefined) return goods;
    if (others.length === 0) return say().row.at({ goods, price: first });
    return say().row.atPrices({ goods, price: first, others });
  });
  const known = [request.external_id, to.full_name].filter(Boolean).map(shownText);
  const pickup = [from.full_name, from.phone].filter(Boolean).map(shownText).join(', ');
  return [
    ...known,
    placeIn(to),
    shownText(to.phone ?? ''),
    goods.join(', '),
    say().row.from({ sender: pickup, place: placeIn(from) }),
  ];
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The rows of a plan as a person reads them: everything that is sent, and once what is the same in each of them. */
export function rowsToRead({ content, facts }: Pick<StoredPlan, 'content' | 'facts'>): string[] {
  const replaced = new Map(recordsIn(readFields(facts).rows).map(({ row, changes }) => [row, recordsIn(changes)]));
  const rows = recordsIn(fieldsIn(parseJson(content)).rows).flatMap(({ row, payload, carrier, fee }) => {
    if (typeof payload !== 'string' || payload === '') return [];
    const request = fieldsIn(parseJson(payload));
    const isParcel = request.shipping_address !== undefined && request.shipping !== undefined;
    const changes = replaced.get(row) ?? [];
    const { customer_address, ...others } = request;
    const rest = valuesIn(isParcel && isSame(customer_address, request.shipping_address) ? others : request)
      .filter(([path]) => !(isParcel && ofParcel.test(path)) && !changes.some(({ field }) => field === path))
      .map(([path, text]) => say().row.field({ field: labels().heading(path), text }));
    const last = [
      ...changes.map(({ field, old, new: now }) =>
        say().row.becomes({ field: labels().heading(String(field)), old: inQuotes(old), now: inQuotes(now) }),
      ),
      ...(typeof carrier === 'string' ? [shownText(carrier)] : []),
      ...(typeof fee === 'number' ? [say().row.fee({ fee })] : []),
      ...(isParcel ? [collectsIn(fieldsIn(request.shipping).cod_amount)] : []),
    ];
    return [{ row, first: isParcel ? parcelIn(request) : [], rest, last }];
  });
  const [one, ...further] = rows.map(({ rest }) => new Set(rest));
  const inEach = [...(one ?? [])].filter((text) => further.length > 0 && further.every((rest) => rest.has(text)));
  const lines = rows.map(({ row, first, rest, last }) => {
    const parts = [...first, ...rest.filter((text) => !inEach.includes(text)), ...last];
    return `${String(row)}. ${parts.filter((part) => part !== '').join('; ')}`;
  });
  return inEach.length === 0 ? lines : [...lines, say().row.inEach({ parts: inEach.join('; ') })];
}

const inQuotes = (value: unknown) => escapeHidden(JSON.stringify(value ?? null));

const collectsIn = (cash: unknown) => (typeof cash === 'number' && cash > 0 ? say().row.collects({ cash }) : '');

function warningsOf(value: Fields, isMasked: boolean): unknown[] {
  const all = recordsIn(fieldsIn(value.read).warnings);
  const shown = all.slice(0, MOST_WARNINGS).map(({ code, cell, message }) => ({
    code,
    cell,
    message: maskedSentence(String(message), isMasked),
  }));
  return all.length > shown.length ? [...shown, { code: 'more', count: all.length - shown.length }] : shown;
}

/** Who is answered, and how commands are worded. */
type Answering = Pick<Desk, 'isPersonal'> & Pick<Ports, 'ui'>;

/** What an agent learns about a stored plan. */
const answerOf = (plan: StoredPlan, value: Fields, decision: Decision, answered: Answering): Fields => ({
  plan: plan.id,
  digest: plan.digest,
  records: plan.records,
  fees: { total: plan.fees, by_carrier: fieldsIn(value.fees).by_carrier ?? {} },
  cod: plan.cod,
  warnings: warningsOf(value, !answered.isPersonal),
  ...(recordsIn(value.differs).length > 0 ? { differs: differingIn(value, !answered.isPersonal) } : {}),
  expires_at: new Date(plan.expiresAt).toISOString(),
  allowed: plan.state === 'approved' ? 'person' : decision.by,
  why: plan.state === 'approved' ? 'the user has approved it' : decision.why,
  command:
    plan.state === 'approved' || decision.by === 'policy'
      ? null
      : answered.ui.advise('approve_plan', { plan: plan.id }),
});

/** Checks, quotes and stores what would be sent; sends nothing. Throws a Refusal, and what the checks throw. */
export async function makePlan(desk: Desk, request: PlanRequest): Promise<Fields> {
  const action = actionCalled(request.command, 'plan', await closedSetOf(desk));
  const command = commandOf(action);
  const { all, given } = rowsOf(action, request);
  const { value, content, ports } = await planRows(desk, command, all, given);
  if (content === '') {
    if (value.state !== 'unfinished') return nothingToSend(value, !desk.isPersonal);
    const what = 'a batch has begun with these rows, and is not finished: the user resumes it';
    throw new Refusal('batch_unfinished', what, { kind: 'conflict', facts: { batch: String(value.batch) } });
  }
  const profile = profileName(ports);
  const answered: Answering = { isPersonal: desk.isPersonal, ui: ports.ui };
  const sent = sentBy(content, profile);
  if (sent.records === 0) return nothingToSend(value, !desk.isPersonal);
  return changing(ports, async (sql, now) => {
    const decision = await decided(judgedOf(sent, ports), await policyInForce(sql, ports), sql, now);
    if (decision.by === 'nobody') {
      await logged(sql, now, profile, { event: 'refused', command, note: decision.why });
      return { state: 'refused', plan: null, why: decision.why, allowed: 'nobody', command: null };
    }
    const open = (await plansOf(sql, sent.digest)).find(
      ({ state, expiresAt }) => (state === 'planned' || state === 'approved') && expiresAt > now,
    );
    if (open !== undefined) return answerOf(open, value, decision, answered);
    const { account, digest, records, fees, cod } = sent;
    const plan: StoredPlan = {
      ...{ id: newId().slice(0, 12), account, profile, command, digest, content, facts: replacedIn(value) },
      ...{ state: 'planned', boundTo: null, createdAt: now, expiresAt: now + EXPIRES_MS, batch: null, outcome: null },
      ...{ reservedAt: null, records, fees, cod },
    };
    await addPlan(sql, plan);
    await logged(sql, now, profile, { event: 'planned', command, plan: plan.id, note: countOf(records, 'record') });
    return answerOf(plan, value, decision, answered);
  });
}

/** Rows that are not sent, since the service has another record of their name. Only names of fields: their values may be personal. */
const differingIn = (value: Fields, isMasked: boolean): unknown[] =>
  recordsIn(value.differs)
    .slice(0, MOST_WARNINGS)
    .map(({ row, cell, name, fields }) => maskedValue({ row, cell, name, fields }, isMasked));

/** What is answered where no row can be sent: they were done before, or the service refuses them. */
function nothingToSend(value: Fields, isMasked: boolean): Fields {
  const counts = fieldsIn(value.counts);
  const isDone = ['failed', 'unclear', 'skipped'].every((state) => numberIn(counts[state]) === 0);
  const differs = differingIn(value, isMasked);
  const why = `no row can be sent${differs.length > 0 ? '; differs names the rows that the service has otherwise' : ''}`;
  return {
    ...{ state: isDone ? 'done' : 'refused', plan: null, batch: value.batch ?? null, records: 0 },
    ...{ counts: maskedValue(counts, true), fees: value.fees ?? null, command: null },
    ...(isDone ? { why: 'nothing is left to send: it was done before' } : { why, differs }),
  };
}
