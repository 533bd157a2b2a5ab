import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fieldsIn } from '../../src/domain/json/values.ts';
import { agentOf, countedWorld, orderNamed } from './agent-world.ts';

const page = readFileSync('docs/agents.md', 'utf8');
/** What stands between fences in the part about one exchange. */
const blocks = [...(/## One exchange\n([\s\S]*?)\n## /.exec(page)?.[1] ?? '').matchAll(/```\n([\s\S]*?)```/g)].map(
  ([, block = '']) => block,
);

it('shows a whole exchange as it happens: find, plan, an approval that is needed, apply and status', async () => {
  const world = await countedWorld();
  const settings = await world.settings();
  const { shop } = settings.profiles;
  await world.save({ ...settings, current_profile: 'sandbox-shop', profiles: { 'sandbox-shop': shop } as never });
  const agent = await agentOf(world);
  const lines: string[] = [];
  /** Calls a tool; what is long in a call or an answer is shown by its beginning. */
  const say = async (name: string, given: object, shown: object = given) => {
    const { result } = await agent.call(name, given);
    const { commands, digest, ...others } = result;
    const head = Array.isArray(commands) ? { commands: [commands[0], '…'] } : {};
    const short = digest === undefined ? {} : { digest: `${String(digest).slice(0, 16)}…` };
    lines.push(`> ${name} ${JSON.stringify(shown)}`, JSON.stringify({ ...head, ...short, ...others }));
    return result;
  };
  await say('find', { text: 'ship an order' });
  const order = orderNamed('WEB-2026-000117');
  const call = { command: 'ship', input: { order, pick: 'cheapest' } };
  const plan = await say('plan', call, {
    ...call,
    input: { order: { external_id: order.external_id }, pick: 'cheapest' },
  });
  await say('apply', { plan: plan.plan });
  const before = lines.splice(0);
  const total = String(fieldsIn(plan.fees).total);
  const { stderr, stdout, prompter } = await world.approve(plan.plan, total);
  const approval = [
    `$ ${String(plan.command)}`,
    stderr.trimEnd(),
    `${prompter.asked.join()} ${total}`,
    stdout.trimEnd(),
  ];
  const done = await say('apply', { plan: plan.plan });
  await say('status', { plan: plan.plan });
  const own = new Map([
    [String(plan.plan), '90b979d1c074'],
    [String(plan.digest).slice(0, 16), '70325afbe7a13964'],
    [String(done.batch), '20260131-k3m9p'],
  ]);
  const bold = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
  const shown = (text: readonly string[]) =>
    [...own].reduce((all, [made, name]) => all.replaceAll(made, name), `${text.join('\n').replace(bold, '')}\n`);
  expect(blocks).toEqual([shown(before), shown(approval), shown(lines)]);
  expect(world.shipped).toEqual(['WEB-2026-000117']);
});

it('configures three clients with a command that there is', () => {
  const known = /"command": "shopctl", "args": \["mcp", "--profile", "sandbox-shop"\]/g;
  expect(page.match(known)).toHaveLength(2);
  expect(page).toContain('claude mcp add shopctl -- shopctl mcp --profile sandbox-shop');
  for (const [, json = ''] of page.matchAll(/```json\n([\s\S]*?)```/g)) expect(() => JSON.parse(json)).not.toThrow();
});
