import { expect, it } from 'vitest';
import { fieldsIn } from '../../src/domain/json/values.ts';
import { masks } from '../support/story.ts';
import { agentOf, countedWorld, orderNamed } from './agent-world.ts';

/** A long text is known by its beginning and its length. */
const MOST = 700;
const shortened = (line: string) => (line.length > MOST ? `${line.slice(0, MOST)}… (${line.length} characters)` : line);

/** Names that a run draws, in the order in which they come. */
function drawn(text: string): string {
  const names = new Map<string, string>();
  return text.replace(/\b(?:[0-9a-f]{64}|[0-9a-f]{12}|\d{8}-[0-9a-z]{5})\b/g, (name) => {
    const known = names.get(name) ?? `NAME-${names.size + 1}`;
    names.set(name, known);
    return known;
  });
}

for (const mode of ['legacy', 'auto'] as const) {
  it(`exchanges these lines with a client of the ${mode === 'auto' ? 'newest' : 'older'} protocol`, async () => {
    const world = await countedWorld();
    const own = { env: { SHOPCTL_PROFILE: 'shop' } };
    const lines: string[] = [];
    const agent = await agentOf(world, {
      mode,
      words: ['--profile', 'shop'],
      heard: (side, line) => lines.push(`${side} ${line}`),
    });
    const { client, call } = agent;
    await client.listTools();
    await client.listResources();
    await client.readResource({ uri: 'shopctl://help/agents' });
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow(/not found/i);
    await call('find', { text: 'ship an order' });
    await call('find', { text: 7 });
    await call('describe', { command: 'customers create' });
    await call('describe', { command: 'auth token' });
    await call('read', { command: 'orders list' });
    await call('read', { command: 'carriers' });
    await call('read', { command: 'orders get', input: { id: '1234567890123456789' } });
    await call('read', { command: 'orders cancel', input: { id: '1234567890123456789' } });
    const shipped = { command: 'ship', input: { order: orderNamed('A-1'), pick: 'cheapest' } };
    const { result: plan } = await call('plan', shipped);
    await call('plan', { command: 'ship', rows: [{ external_id: 'A-2' }] });
    await call('plan', { command: 'orders cancel', input: { id: '1234567890123456789', yes: true } });
    await call('apply', { plan: plan.plan });
    await call('status', { plan: plan.plan });
    expect((await world.approve(plan.plan, String(fieldsIn(plan.fees).total), own)).exit).toBe(0);
    await call('apply', { plan: plan.plan });
    await call('apply', { plan: plan.plan });
    await call('plan', shipped);
    await call('refund', {}).catch(() => {});
    const { exit, stderr } = await agent.end();
    expect([exit, stderr, world.shipped]).toEqual([0, '', ['A-1']]);
    expect(lines.filter((line) => line.startsWith('> ')).length).toBeGreaterThanOrEqual(20);
    const text = masks([[new RegExp(world.directory, 'g'), 'DIR']]).mask(drawn(`${lines.map(shortened).join('\n')}\n`));
    await expect(text).toMatchFileSnapshot(`exchanges/${mode === 'auto' ? 'newest' : 'older'}.txt`);
  });
}
