import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { fieldsIn } from '../../src/domain/json/values.ts';
import type { RunOptions } from '../support/context.ts';
import { orderFields, shippingFields } from '../support/sandbox-order.ts';
import { type Between, type ShopWorld, shopWorld } from '../support/shop-world.ts';

/** An order that ships, under a name. */
export const orderNamed = (external_id: string, more: object = {}) => ({
  ...orderFields,
  shipping: shippingFields,
  external_id,
  ...more,
});

/** What a tool has answered. */
export interface Answered {
  readonly isError: boolean;
  readonly text: string;
  readonly result: Readonly<Record<string, unknown>>;
}

/** A server for agents, and the protocol's own client at its other end. */
export interface Agent {
  readonly client: Client;
  call(name: string, given?: object): Promise<Answered>;
  /** Closes stdin; returns the exit code and stderr. */
  end(): Promise<{ readonly exit: number; readonly stderr: string }>;
}

/** Lines that are pushed one by one. */
function pushed() {
  const waiting: string[] = [];
  let wake = () => {};
  let isEnded = false;
  return {
    push(line: string) {
      waiting.push(line);
      wake();
    },
    end() {
      isEnded = true;
      wake();
    },
    lines: (async function* () {
      for (;;) {
        const line = waiting.shift();
        if (line !== undefined) yield line;
        else if (isEnded) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    })(),
  };
}

/** Starts `mcp` on a machine, and connects a client of one era. */
export async function agentOf(
  world: Pick<ShopWorld, 'run'>,
  {
    words = [],
    mode = 'legacy',
    heard = () => {},
    ...options
  }: RunOptions & {
    words?: readonly string[];
    mode?: 'legacy' | 'auto';
    /** Hears every line of the wire: what the client sends (`>`), and what it is answered (`<`). */
    heard?: (side: '>' | '<', line: string) => void;
  } = {},
): Promise<Agent> {
  const input = pushed();
  let rest = '';
  const transport: NonNullable<Parameters<Client['connect']>[0]> = {
    start: async () => {},
    send: async (message) => {
      const line = JSON.stringify(message);
      heard('>', line);
      input.push(line);
    },
    close: async () => input.end(),
  };
  const running = world.run(['mcp', ...words], {
    ...options,
    lines: input.lines,
    onStdout(text) {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        heard('<', line);
        transport.onmessage?.(JSON.parse(line));
      }
    },
  });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  // A server that ends at once is no client's to wait for.
  await Promise.race([client.connect(transport), running]);
  const end = async () => {
    input.end();
    const { exit, stderr } = await running;
    return { exit, stderr };
  };
  onTestFinished(async () => void (await end()));
  return {
    client,
    end,
    async call(name, given = {}) {
      const answer = fieldsIn(await client.callTool({ name, arguments: { ...given } }));
      const [first] = Array.isArray(answer.content) ? answer.content : [];
      return {
        isError: answer.isError === true,
        text: String(fieldsIn(first).text),
        result: fieldsIn(answer.structuredContent),
      };
    },
  };
}

/** A world whose parcels are counted where they arrive: by the names of their orders. */
export async function countedWorld(between: Between = (transport) => transport) {
  const shipped: string[] = [];
  const world = await shopWorld((transport) =>
    between(async (request) => {
      const answer = await transport(request);
      if (request.url.endsWith('/CreateAndConfirmOrder') && answer.status === 200)
        shipped.push(String(fieldsIn(JSON.parse(String(request.body))).external_id));
      return answer;
    }),
  );
  const accept = (text: string, options: RunOptions = {}) => {
    writeFileSync(join(world.directory, 'agents.yaml'), text, { mode: 0o600 });
    return world.run(['agents', 'policy', 'accept'], { terminal: true, answers: [true], ...options });
  };
  const approve = (plan: unknown, total: string, options: RunOptions = {}) =>
    world.run(['approve', String(plan)], { terminal: true, answers: [total], ...options });
  return { ...world, shipped, accept, approve };
}
