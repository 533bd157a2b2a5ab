import * as z from 'zod';
import { action } from '../action/action.ts';
import type { Ports } from '../action/ports.ts';
import { shopOfAccount } from '../client/account.ts';
import { Refusal } from '../client/refusal.ts';
import { countOf } from '../contract/control/texts.ts';
import { labels } from '../contract/labels.ts';
import { flag, int, list, money, text, time } from '../contract/schema/scalars.ts';
import { readOwn } from '../domain/json/values.ts';
import { escapeHidden } from '../platform/terminal/text-safety.ts';
import { numberOf, textOf } from '../store/sql.ts';
import { bindingOf } from './apply.ts';
import { judgedOf, rowsToRead, sentBy } from './plans.ts';
import { acceptance, decided, type Policy, policyFile, policyInForce, policyText, readPolicy } from './policy.ts';
import {
  changing,
  logged,
  logLines,
  openPlans,
  planCalled,
  profileName,
  reading,
  revokePlans,
  type StoredPlan,
  setFact,
  setPlan,
  timeOf,
} from './store.ts';
import { say } from './texts.ts';

/** Variables that programs set which plan; a courtesy, since whoever can set them can unset them. */
const OF_PROGRAMS = ['AI_AGENT', 'AGENT', 'CLAUDECODE', 'CURSOR_AGENT', 'GEMINI_CLI', 'SHOPCTL_AGENT', 'CI'];

/** Throws a Refusal where it is not a person at a terminal who decides. */
function requirePerson({ person, env }: Ports): void {
  const set = OF_PROGRAMS.find((name) => (env[name] ?? '') !== '');
  const texts = say().person;
  const asked = person.hasAgreed ? texts.agreedBefore : texts.noTerminal;
  const why = set === undefined ? asked : texts.variable({ name: set });
  if (set === undefined && !person.hasAgreed && person.isThere) return;
  throw new Refusal('person_needed', texts.needed({ why }), { kind: 'policy' });
}

/** Digits alone, whatever separates them. */
const digitsOf = (typed: string) => typed.replaceAll(/[\s.,_'₫đ]/g, '');

/** What is typed to approve a plan: its fees, or its records where nothing costs. */
const totalOf = ({ fees, records }: StoredPlan) => (fees > 0 ? fees : records);

const originIn = (account: string) => escapeHidden(String(readOwn<readonly string[]>(account)[0]));

/** The canonical text of a plan: everything that is sent, and what it costs. */
function canonicalText(plan: StoredPlan): string[] {
  const texts = say().plan;
  const place = { shop: shopOfAccount(plan.account) ?? '', origin: originIn(plan.account) };
  return [
    texts.title(plan),
    plan.profile === '' ? texts.ofShop(place) : texts.ofProfile({ ...place, profile: escapeHidden(plan.profile) }),
    ...rowsToRead(plan),
    ...(plan.fees > 0 ? [texts.fees(plan)] : []),
    ...(plan.cod > 0 ? [texts.cod(plan)] : []),
    texts.digest({ digest: plan.digest.slice(0, 16), until: new Date(plan.expiresAt).toISOString() }),
  ];
}

const listed = z.object({
  plan: text('Name of the plan'),
  command: text('The command'),
  profile: text('Its profile'),
  records: int('Records that it sends', 'records'),
  fees: money('Sum of the fees'),
  cod: money('Cash on delivery'),
  state: text('planned or approved'),
  expires_at: time('Until when it can be approved and applied'),
});

const listedPlan = (plan: StoredPlan) => ({
  ...{ plan: plan.id, command: plan.command, profile: plan.profile, records: plan.records, fees: plan.fees },
  ...{ cod: plan.cod, state: plan.state, expires_at: new Date(plan.expiresAt).toISOString() },
});

/** Takes the word of a person about a plan, in the transaction that compares it once more. */
async function decide(name: string, to: 'approved' | 'denied', ports: Ports): Promise<StoredPlan> {
  return changing(ports, async (sql, now) => {
    const plan = await planCalled(sql, name);
    const { profile, command, id } = plan;
    if (to === 'approved') {
      if (now >= plan.expiresAt) throw new Refusal('plan_expired', say().plan.expired({ id }), { kind: 'conflict' });
      const isSame = plan.content !== '' && sentBy(plan.content, profile).digest === plan.digest;
      if (!isSame) throw new Refusal('plan_changed', say().plan.changed({ id }), { kind: 'conflict' });
    }
    const policy = to === 'approved' ? await policyInForce(sql, ports) : undefined;
    const decision = policy && (await decided(judgedOf(sentBy(plan.content, profile), ports), policy, sql, now));
    // What the policy does not name nobody can approve, also where it was accepted after the plan was made.
    if (decision?.by === 'nobody')
      throw new Refusal('plan_not_allowed', say().plan.notAllowed({ id, why: say().policy.notNamed }), {
        kind: 'policy',
      });
    const bound = policy === undefined ? null : bindingOf(plan, policy);
    const isSet = await setPlan(sql, id, ['planned', 'approved'], { state: to, bound_to: bound });
    if (!isSet)
      throw new Refusal('plan_over', say().plan.over({ id, state: labels().state(plan.state) }), { kind: 'conflict' });
    await logged(sql, now, profile, { event: to, command, plan: id });
    return { ...plan, state: to };
  });
}

async function approved(name: string, ports: Ports): Promise<StoredPlan> {
  requirePerson(ports);
  const plan = await reading(ports, (sql) => planCalled(sql, name));
  if (plan.profile !== profileName(ports))
    throw new Refusal('plan_elsewhere', say().plan.elsewhere({ id: plan.id, profile: plan.profile }), {
      facts: { profile: plan.profile },
    });
  for (const line of canonicalText(plan)) await ports.person.tell(line, { hang: 3 });
  const total = totalOf(plan);
  const texts = say().plan;
  const [message, wrong] = plan.fees > 0 ? [texts.typeFees, texts.notFees] : [texts.typeRecords, texts.notRecords];
  await ports.person.ask({
    name: 'total',
    message,
    schema: z.string().refine((given) => digitsOf(given) === String(total), wrong),
  });
  return decide(name, 'approved', ports);
}

const approve = action({
  id: 'approve',
  words: ['approve'],
  summary: 'Approve what an agent has planned',
  description:
    'Shows everything that the plan sends, what it costs and where it goes, and asks you to type the total. The approval holds for exactly this plan, for 15 minutes, and once. It takes you at a terminal: --yes is no answer, and where a variable such as CI or AI_AGENT is set, it is refused.',
  examples: ['shopctl approve 4f1c09d2a7b3', 'shopctl approve --list', 'shopctl approve --deny 4f1c09d2a7b3'],
  effect: 'read',
  adds: { plan: 'settings', deny: 'settings' },
  mayAlso: ['write', 'spend', 'destroy'],
  byPlans: true,
  undo: 'agents stop',
  needs: ['person'],
  input: z.object({
    plan: z.optional(text('the plan: its name, or the start of it')),
    list: z.optional(flag('list the plans that wait')),
    deny: z.optional(text('deny this plan')),
  }),
  positional: ['plan'],
  hints: { plan: { placeholder: 'PLAN', from: 'path' }, deny: { placeholder: 'PLAN', from: 'path' } },
  output: list(listed, 'The plans'),
  async run({ plan, list: isList, deny }, ports) {
    if (isList === true)
      return reading(ports, async (sql) => (await openPlans(sql, await timeOf(sql, ports))).map(listedPlan));
    if (deny !== undefined) {
      ports.intend({ deny });
      return [listedPlan(await decide(deny, 'denied', ports))];
    }
    if (plan === undefined) throw new Refusal('plan_missing', say().plan.needed);
    ports.intend({ approve: plan });
    return [listedPlan(await approved(plan, ports))];
  },
});

const mcp = action({
  id: 'mcp',
  words: ['mcp'],
  summary: 'Serve the shop to an agent, within what you allow',
  description:
    'Serves the Model Context Protocol on stdin and stdout, for one profile and one shop; a client starts it. Phone numbers and e-mail addresses are masked unless --personal-data is given; names and addresses are not. What writes is planned first, and applied only if you approve the plan, or your policy allows it.',
  examples: ['shopctl mcp', 'shopctl mcp --profile sandbox-shop', 'shopctl mcp --skill'],
  effect: 'store',
  mayAlso: ['write', 'spend', 'destroy'],
  byPlans: true,
  undo: { whyNot: 'each batch that it runs has its own undo' },
  needs: [],
  input: z.object({
    personal_data: z.optional(flag('show phone numbers and e-mail addresses, and offer SQL over the mirror')),
    skill: z.optional(flag('print the SKILL.md of this version, and serve nothing')),
  }),
  output: z.optional(z.string()),
  async run({ personal_data, skill }, ports) {
    if (skill === true) return ports.ui.skill(ports.version);
    ports.intend({ serve: 'mcp' });
    await ports.serveAgents({ isPersonal: personal_data === true });
    return undefined;
  },
});

const log = action({
  id: 'agents.log',
  words: ['agents', 'log'],
  summary: 'List what agents have asked, planned and done',
  examples: ['shopctl agents log', 'shopctl agents log --limit 20 --json'],
  effect: 'read',
  needs: [],
  input: z.object({
    limit: z.optional(
      int('how many of the newest; 1,000 when absent', 'lines').refine((limit) => limit >= 0, {
        error: () => say().policy.must.positive,
      }),
    ),
  }),
  hints: { limit: { isStyle: true } },
  output: list(
    z.object({
      at: time('When'),
      event: text('What happened: a call, planned, needs_approval, approved, denied, applied, refused, done, stopped'),
      profile: text('The profile'),
      command: text('The command'),
      plan: text('The plan'),
      note: text('Why, or how many'),
    }),
    'The newest first',
  ),
  async run({ limit = 1_000 }, ports) {
    const rows = await reading(ports, (sql) => logLines(sql, limit));
    return rows.map((row) => ({
      ...{
        at: new Date(numberOf(row, 'at')).toISOString(),
        event: textOf(row, 'event'),
        profile: textOf(row, 'profile'),
      },
      ...{ command: textOf(row, 'command'), plan: textOf(row, 'plan'), note: textOf(row, 'note') },
    }));
  },
});

const stop = action({
  id: 'agents.stop',
  words: ['agents', 'stop'],
  summary: 'Revoke every plan of agents now, approved ones too',
  description:
    'One that is carried out ends before its next row; what was sent is settled. Servers keep running, and can plan again.',
  examples: ['shopctl agents stop'],
  effect: 'store',
  undo: { whyNot: 'a revoked plan is planned again' },
  needs: [],
  input: z.object({}),
  output: z.object({ revoked: int('Plans that were revoked', 'plans') }),
  async run(_, ports) {
    ports.intend({ stop: 'agents' });
    return changing(ports, async (sql, now) => {
      const revoked = await revokePlans(sql);
      await logged(sql, now, profileName(ports), { event: 'stopped', note: countOf(revoked, 'plan') });
      return { revoked };
    });
  },
});

const policyRecord = z.object({
  file: text('Its file'),
  policy: z.nullable(z.looseObject({}).meta({ description: 'The policy; null without one' })),
});

async function policyOf(ports: Ports): Promise<{ file: string; policy: Policy | null }> {
  const [file, own] = [policyFile(ports), policyText(ports)];
  return { file, policy: own === undefined ? null : await readPolicy(own, file) };
}

async function accepted(ports: Ports) {
  requirePerson(ports);
  const own = policyText(ports);
  const shown = await policyOf(ports);
  for (const line of (own ?? say().policy.none).split('\n')) await ports.person.tell(escapeHidden(line));
  await ports.person.confirm({ what: say().policy.what, message: say().policy.accept });
  if (policyText(ports) !== own) throw new Refusal('policy_changed', say().policy.changed, { kind: 'conflict' });
  await changing(ports, async (sql, now) => {
    const [name, digest] = acceptance(ports, own);
    await setFact(sql, name, digest);
    await logged(sql, now, profileName(ports), { event: 'policy_accepted', note: digest.slice(0, 16) });
  });
  return shown;
}

const DRAFT = `# What agents may do without asking, within the caps; what needs an approval each time; nothing else.
version: 1
allow: []
#  - command: ship
#    carriers: [greenmile]
approve: []
#  - command: ship
#  - command: orders cancel
caps:
  hour: { records: 20, fees: 500000, cod: 20000000 }
  day: { records: 100, fees: 2000000, cod: 80000000 }
`;

/** What every command about the policy declares. */
const ofPolicy = <Verb extends string>(verb: Verb) => ({
  id: `agents.policy.${verb}`,
  words: ['agents', 'policy', verb] as const,
  needs: [],
  input: z.object({}),
  output: policyRecord,
});

const edit = action({
  ...ofPolicy('edit'),
  summary: 'Edit and accept the policy for agents',
  description:
    'Opens agents.yaml in VISUAL or EDITOR, checks it, shows it, and asks whether it holds from now on. At a terminal only.',
  examples: ['shopctl agents policy edit'],
  effect: 'settings',
  mayAlso: ['program'],
  undo: 'agents policy edit',
  needs: ['person'],
  async run(_, ports) {
    requirePerson(ports);
    const file = policyFile(ports);
    ports.intend({ edit: file });
    if (policyText(ports) === undefined) await ports.files.write(file, DRAFT);
    const editor = (ports.env.VISUAL || ports.env.EDITOR || 'vi').split(' ').filter((word) => word !== '');
    const { code } = await ports.children.run([...editor, file], ports.env, ports.signal, { says: 'stderr' });
    if (code !== 0) throw new Refusal('editor_failed', say().policy.editorFailed);
    return accepted(ports);
  },
});

const accept = action({
  ...ofPolicy('accept'),
  summary: 'Accept the policy for agents as its file is now',
  examples: ['shopctl agents policy accept'],
  effect: 'settings',
  undo: 'agents policy edit',
  needs: ['person'],
  async run(_, ports) {
    ports.intend({ accept: policyFile(ports) });
    return accepted(ports);
  },
});

const show = action({
  ...ofPolicy('show'),
  summary: 'Show the policy for agents',
  examples: ['shopctl agents policy show', 'shopctl agents policy show --json'],
  effect: 'read',
  format: 'json',
  run: async (_, ports) => policyOf(ports),
});

const check = action({
  ...ofPolicy('check'),
  summary: 'Check that the policy for agents can be read, and is the one that was accepted',
  examples: ['shopctl agents policy check'],
  effect: 'read',
  format: 'json',
  async run(_, ports) {
    const shown = await policyOf(ports);
    await reading(ports, (sql) => policyInForce(sql, ports));
    return shown;
  },
});

/** The commands by group. */
export const actions = { mcp: [mcp], approve: [approve], agents: [log, stop, show, check, edit, accept] } as const;
