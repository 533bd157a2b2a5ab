import type { Action } from '../action/action.ts';
import { inRun, quietReport } from '../action/means.ts';
import type { Ports } from '../action/ports.ts';
import { shopOfPartner } from '../client/account.ts';
import { through } from '../client/connection.ts';
import { Refusal } from '../client/refusal.ts';
import { isWrite } from '../client/retry.ts';
import { findOperation } from '../contract/areas.ts';
import { type Fields, fieldsIn, readFields } from '../domain/json/values.ts';
import { ledgerOpener } from '../ledger/open.ts';
import type { LedgerStore } from '../ledger/store/intents.ts';
import { TransportError } from '../platform/http/transport.ts';
import type { Sql } from '../store/sql.ts';
import { commandOf, maskedValue, useOf } from './closed-set.ts';
import { inPlace, judgedOf, makePlan, ofRows, type Sent, sentBy } from './plans.ts';
import { decided, type PolicyInForce, policyInForce } from './policy.ts';
import { type Desk, isRows } from './read.ts';
import {
  changing,
  logged,
  planCalled,
  profileName,
  reading,
  type StoredPlan,
  setPlan,
  stateOf,
  timeOf,
} from './store.ts';

/** How long an apply is waited for before its handle is answered. */
const PATIENCE_MS = 30_000;
/** The most rows that an answer names. */
const MOST_NAMED = 20;

/** What the approval of a plan holds for: this content of this profile and shop, under this policy, until then. */
export const bindingOf = ({ digest, profile, account, expiresAt }: StoredPlan, policy: Pick<PolicyInForce, 'digest'>) =>
  JSON.stringify([digest, profile, account, expiresAt, policy.digest]);

const approveCommand = ({ id }: Pick<StoredPlan, 'id'>, { ui }: Pick<Ports, 'ui'>) =>
  ui.advise('approve_plan', { plan: id });

const refusedFor = (why: string, plan: StoredPlan): Fields => ({ state: 'refused', plan: plan.id, why, command: null });

/** A plan that may be carried out now; or the answer where it may not, or was. */
type Claim = { readonly answer: Fields } | { readonly plan: StoredPlan; readonly sent: Sent };

/** Why a plan is not carried out whatever a person or a policy says; undefined if nothing is against it. */
function against(plan: StoredPlan, now: number, ports: Ports): string | undefined {
  if (plan.profile !== profileName(ports)) return 'it was planned for another profile';
  const { profile, shop } = ports.settings;
  const planned = shopOfPartner(plan.account);
  const isOwn = [planned, profile?.shops?.[planned ?? '']?.name].includes(shop?.value);
  if (planned !== undefined && shop !== undefined && !isOwn) return 'it was planned for another shop';
  if (plan.state === 'denied') return 'the user has denied it';
  if (plan.state === 'revoked') return 'all plans were stopped';
  const isBegun = plan.state === 'applying' && plan.batch !== null;
  if (!isBegun && now >= plan.expiresAt) return 'it has expired: plan it again';
  const isSame = plan.content !== '' && sentBy(plan.content, plan.profile).digest === plan.digest;
  return isSame ? undefined : 'it is not what was planned any more';
}

/**
 * Claims a plan for this process, in the transaction that reserves what it may use up: before anything is sent. One that was
 * claimed before is carried on.
 */
async function claim(sql: Sql, now: number, name: string, ports: Ports): Promise<Claim> {
  const plan = await planCalled(sql, name);
  const { id, command, profile } = plan;
  if (plan.state === 'ended') return { answer: readFields(plan.outcome ?? '{}') };
  const refuse = async (why: string): Promise<Claim> => {
    await logged(sql, now, profile, { event: 'refused', command, plan: id, note: why });
    return { answer: refusedFor(why, plan) };
  };
  const why = against(plan, now, ports);
  if (why !== undefined) return refuse(why);
  const sent = sentBy(plan.content, profile);
  if (plan.state === 'applying') return { plan, sent };
  const policy = await policyInForce(sql, ports);
  const isApproved = plan.state === 'approved' && plan.boundTo === bindingOf(plan, policy);
  if (!isApproved) {
    const decision = await decided(judgedOf(sent, ports), policy, sql, now);
    if (decision.by === 'nobody') return refuse(decision.why);
    if (decision.by === 'person') {
      await logged(sql, now, profile, { event: 'needs_approval', command, plan: id, note: decision.why });
      const next = { command: approveCommand(plan, ports), expires_at: new Date(plan.expiresAt).toISOString() };
      return { answer: { state: 'needs_approval', plan: id, why: decision.why, ...next } };
    }
  }
  const { records, fees, cod } = sent;
  await setPlan(sql, id, ['planned', 'approved'], { state: 'applying', reserved_at: now, records, fees, cod });
  await logged(sql, now, profile, {
    event: 'applied',
    command,
    plan: id,
    note: isApproved ? 'approved' : 'by the policy',
  });
  return { plan, sent };
}

/** Ports that have agreed, and send nothing more once the plan was stopped. */
function agreedPorts(ports: Ports, mayGoOn: () => Promise<boolean>): Ports {
  const person = { ...ports.person, hasAgreed: true, confirm: async () => {} };
  const connection: Ports['connection'] = (baseUrl) =>
    through(ports.connection(baseUrl), async (request, next) => {
      const operation = await findOperation(new URL(request.url).pathname.replace(/^.*\/v1\//, ''));
      const writes = operation === undefined || isWrite(operation.effect);
      if (writes && !(await mayGoOn())) throw new TransportError('aborted', 'no', 'all plans were stopped');
      return next(request);
    });
  return { ...ports, person, connection };
}

const countsOf = (summary: Fields): Fields => fieldsIn(maskedValue(summary.counts, true));

const count = (summary: Fields, name: string) => Number(fieldsIn(summary.counts)[name] ?? 0);

/** The rows of a batch that failed, or whose outcome is not known. */
async function badRows(desk: Desk, batch: string): Promise<readonly Fields[]> {
  const rows = await ofRows('rows', desk);
  return inRun(desk.means, { signal: desk.signal }, async (opened) => {
    const found: Fields[] = [];
    const input = await opened.check(rows, { batch, state: ['failed', 'unclear'] });
    const value = await rows.run(input, opened.ports);
    if (isRows(value)) for await (const row of value) found.push(fieldsIn(row));
    return found;
  });
}

const namedRows = (rows: readonly Fields[], { isPersonal }: Desk) =>
  rows
    .slice(0, MOST_NAMED)
    .map(({ row, cell, state, error }) => maskedValue({ row, cell, state, error: error ?? null }, !isPersonal));

/** What has become of a batch, as an apply answers it. */
async function outcomeOf(
  desk: Desk,
  plan: string,
  summary: Fields,
): Promise<{ answer: Fields; failed: ReadonlySet<number> }> {
  const batch = String(summary.batch);
  const isClean = count(summary, 'failed') === 0 && count(summary, 'unclear') === 0;
  const rows = isClean ? [] : await badRows(desk, batch);
  const isOpen = count(summary, 'left') > 0;
  const bad = count(summary, 'failed') + count(summary, 'skipped') > 0;
  const state = count(summary, 'unclear') > 0 ? 'unclear' : isOpen ? 'running' : bad ? 'partial' : 'done';
  const fees = summary.fees ?? null;
  return {
    answer: {
      state,
      plan,
      batch,
      counts: countsOf(summary),
      fees,
      rows: namedRows(rows, desk),
      command: summary.next ?? null,
      ...(isOpen ? { why: 'rows are left: apply the plan again, which settles first what may have been sent' } : {}),
    },
    failed: new Set(rows.filter(({ state }) => state === 'failed').map(({ row }) => Number(row))),
  };
}

/** Ends a plan: what surely was not applied is given back. */
async function ended(
  ports: Ports,
  plan: StoredPlan,
  answer: Fields,
  lost: readonly Sent['rows'][number][],
): Promise<void> {
  const less = (of: 'fee' | 'cod') => lost.reduce((sum, row) => sum + row[of], 0);
  await changing(ports, async (sql, now) => {
    const { records, fees, cod } = await planCalled(sql, plan.id);
    const left = { records: records - lost.length, fees: fees - less('fee'), cod: cod - less('cod') };
    const isOwn = await setPlan(sql, plan.id, ['applying'], {
      state: 'ended',
      outcome: JSON.stringify(answer),
      ...left,
    });
    if (!isOwn) return;
    const { profile, command, id } = plan;
    await logged(sql, now, profile, { event: String(answer.state), command, plan: id, note: String(answer.why ?? '') });
  });
}

/** Whether a failure proves that nothing was sent, and comes again whenever it is tried. */
const isForGood = (error: unknown) =>
  ['usage', 'policy', 'conflict', 'missing'].includes(String(fieldsIn(error).kind)) &&
  fieldsIn(error).outcome === 'not_applied';

/** Whether a plan was not stopped meanwhile. */
const isApplying = (store: LedgerStore, id: string) =>
  store.read(async (sql) => (await stateOf(sql, id)) === 'applying');

/** Carries a claimed plan out as a batch, which sends each row exactly once whoever else carries it out. */
async function carryOut(
  desk: Desk,
  { plan, sent }: { readonly plan: StoredPlan; readonly sent: Sent },
): Promise<Fields> {
  const runner = await ofRows('run', desk);
  const stop = new AbortController();
  const own: Desk = { ...desk, signal: AbortSignal.any([desk.signal, stop.signal]) };
  let begun: Promise<unknown> | undefined;
  let ports: Ports | undefined;
  const report = quietReport({
    insist(_, about) {
      if (about?.code !== 'batch_began' || ports === undefined || plan.batch !== null) return;
      const named = { batch: String(about.batch) };
      begun = changing(ports, (sql) => setPlan(sql, plan.id, ['applying', 'revoked'], named)).catch(() => {});
    },
  });
  const ran = inRun(own.means, { signal: own.signal, report }, async (opened) => {
    ports = opened.ports;
    const store = await ledgerOpener(opened.ports).open();
    const mayGoOn = async () => {
      await begun;
      if (await isApplying(store, plan.id)) return true;
      stop.abort('SIGTERM');
      return false;
    };
    try {
      return await inPlace(opened.ports, async (file) => {
        const path = file('plan.json');
        await opened.ports.files.write(path, plan.content);
        const input = await opened.check(runner, { plan: path });
        return fieldsIn(await runner.run(input, agreedPorts(opened.ports, mayGoOn)));
      });
    } finally {
      await begun;
      await store.close();
    }
  });
  const summary = await ran.catch(async (error: unknown) => {
    if (ports !== undefined && begun === undefined && plan.batch === null && isForGood(error))
      await ended(ports, plan, refusedFor('it could not be carried out as planned: plan it again', plan), sent.rows);
    throw error;
  });
  const { answer, failed } = await outcomeOf(desk, plan.id, summary);
  if (stop.signal.aborted) return { ...answer, state: 'partial', why: 'all plans were stopped', command: null };
  if (ports !== undefined && (answer.state === 'done' || answer.state === 'partial'))
    await ended(
      ports,
      plan,
      answer,
      sent.rows.filter(({ row }) => failed.has(row)),
    );
  return answer;
}

/** Applies plans, and says how far they are. */
export function applying(desk: Desk) {
  const atWork = new Map<string, Promise<Fields>>();
  const applyPlan = async (name: string): Promise<Fields> => {
    const claimed = await inRun(desk.means, { signal: desk.signal }, async ({ ports }) => ({
      ...(await changing(ports, (sql, now) => claim(sql, now, name, ports))),
      clock: ports.clock,
    }));
    if ('answer' in claimed) return claimed.answer;
    const { plan, clock } = claimed;
    const work = atWork.get(plan.id) ?? carryOut(desk, claimed).finally(() => atWork.delete(plan.id));
    atWork.set(plan.id, work);
    const over = new AbortController();
    const patience = clock.wait(PATIENCE_MS, over.signal).then(
      (): Fields => ({ state: 'running', plan: plan.id, command: null, why: 'it goes on: ask for its status' }),
      () => work,
    );
    return Promise.race([work.finally(() => over.abort()), patience]);
  };
  return {
    apply: applyPlan,
    status: (asked: { readonly plan?: string; readonly batch?: string }) => statusOf(desk, asked),
    /** Waits for everything that is at work. */
    end: async () => void (await Promise.allSettled(atWork.values())),
  };
}

const stateWords: Readonly<Record<StoredPlan['state'], string>> = {
  planned: 'needs_approval',
  approved: 'approved',
  denied: 'refused',
  revoked: 'refused',
  applying: 'running',
  ended: 'done',
};

/** How far a plan or a batch is, what failed and why. */
async function statusOf(
  desk: Desk,
  { plan: name, batch }: { readonly plan?: string; readonly batch?: string },
): Promise<Fields> {
  if ((name === undefined) === (batch === undefined))
    throw new Refusal('plan_or_batch', 'give either a plan or a batch');
  const known = await inRun(desk.means, { signal: desk.signal }, async ({ ports }) => {
    if (name === undefined) return undefined;
    return reading(ports, async (sql) => {
      const plan = await planCalled(sql, name);
      return { plan, now: await timeOf(sql, ports), command: approveCommand(plan, ports) };
    });
  });
  const plan = known?.plan;
  if (plan?.state === 'ended') return readFields(plan.outcome ?? '{}');
  const of = batch ?? plan?.batch;
  const isOver = plan !== undefined && known !== undefined && known.now >= plan.expiresAt && plan.state !== 'applying';
  const state = plan === undefined ? undefined : isOver ? 'refused' : stateWords[plan.state];
  const command = state === 'needs_approval' ? (known?.command ?? null) : null;
  const head = plan === undefined ? {} : { state, plan: plan.id, why: isOver ? 'it has expired' : plan.state, command };
  if (of === undefined || of === null) return head;
  const shows = await ofRows('show', desk);
  const summary = await inRun(desk.means, { signal: desk.signal }, async (opened) =>
    fieldsIn(await shows.run(await opened.check(shows, { batch: of }), opened.ports)),
  );
  const { answer } = await outcomeOf(desk, plan?.id ?? '', summary);
  return {
    ...answer,
    ...(plan === undefined ? { plan: null } : { state: plan.state === 'applying' ? answer.state : state }),
  };
}

/**
 * Does what an agent with a shell types: stores its plan, and once that is allowed, carries it out. The same command finds its
 * plan by what it sends. Throws a Refusal where a person has to act.
 */
export async function writeByPlan(desk: Desk, action: Action, typed: Fields): Promise<Fields> {
  const input = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined));
  const command = desk.means.typed(action, input);
  const refused = (why: string) => new Refusal('person_runs', why, { kind: 'policy', facts: { command } });
  if (useOf(action, desk) !== 'plan') throw refused('agents cannot use this command');
  const made = await makePlan(desk, { command: commandOf(action), input });
  if (made.allowed === 'nobody') throw refused(`agents cannot use this command: ${String(made.why)}`);
  if (typeof made.plan !== 'string') return made;
  const needed = (next: unknown) =>
    new Refusal('approval_needed', `plan ${String(made.plan)} needs the approval of the user`, {
      kind: 'policy',
      facts: { plan: String(made.plan), next: String(next) },
    });
  if (made.command !== null) throw needed(made.command);
  const plans = applying(desk);
  let answer = await plans.apply(made.plan);
  while (answer.state === 'running') {
    await plans.end();
    answer = await plans.apply(made.plan);
  }
  if (answer.state === 'needs_approval') throw needed(answer.command);
  return answer;
}
