import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { httpAnswer, rawServer } from '../support/raw-server.ts';
import { listeningReceiver } from '../support/receiver.ts';
import { orderFields, quoteFields, shippingFields } from '../support/sandbox-order.ts';
import { shell, shellEnvironment } from '../support/shell.ts';
import { masks } from '../support/story.ts';

type Child = ChildProcessByStdio<null, Readable, Readable>;

let program: BuiltProgram;
let sandbox: Child;
let baseUrl: string;

const start = (words: readonly string[], env = {}): Child =>
  spawn(...program.line(...words), {
    env: { ...shellEnvironment(program), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

beforeAll(async () => {
  program = await buildProgram();
  cpSync('examples', join(program.home, 'examples'), { recursive: true });
  sandbox = start(['sandbox', 'start', '--ephemeral', '--port', '0', '--seed', 'none', '--json']);
  for await (const line of createInterface(sandbox.stdout)) {
    baseUrl = JSON.parse(line).base_url;
    break;
  }
});

afterAll(async () => {
  if (sandbox.exitCode === null) {
    sandbox.kill('SIGTERM');
    await once(sandbox, 'exit');
  }
  program.remove();
});

const shellOf = () =>
  shell(
    program,
    masks([
      [new RegExp(program.home, 'g'), 'HOME'],
      [new RegExp(`:${new URL(baseUrl).port}\\b`, 'g'), ':PORT'],
      [/request:[\w-]{43}/g, 'request:TOKEN'],
    ]),
  );

const asShop = { SHOPCTL_PROFILE: 'sandbox-shop' };

it('tells of a parcel in a shell, from the sign-in to the door', async () => {
  const { run, text } = shellOf();
  const file = (name: string, value: unknown) => writeFileSync(join(program.home, name), JSON.stringify(value));
  file('quote.json', quoteFields);
  await run('shopctl quote --input quote.json');
  const { out: shop } = await run('shopctl sandbox credentials --json --query "shops[0].id" -o json | tr -d \'"\'');
  const { out: token } = await run(
    "shopctl auth login --no-input --json --query auth_token -o json | tr -d '\"'; exit $PIPESTATUS",
  );
  await run(`shopctl sandbox sign-in '${token}' --shop ${shop}`);
  await run(`shopctl auth login --shop-id ${shop} --fields shop_id,status`);
  await run('shopctl quote --input quote.json -o csv --fields carrier,name,fee | head -n 2');
  await run('shopctl quote --input quote.json -o name > codes.txt && wc -l < codes.txt');
  // The codes of services are a shop's own: they stay in their file.
  const { out: fee } = await run(
    `shopctl quote --input quote.json --json --query "[?code=='$(head -n 1 codes.txt)'].fee | [0]"`,
  );
  const [code] = readFileSync(join(program.home, 'codes.txt'), 'utf8').split('\n');
  const shipping = { ...shippingFields, shipping_service_code: code, shipping_service_fee: Number(fee) };
  file('order.json', { ...orderFields, shipping });
  await run('shopctl totals check order.json > /dev/null');
  const { out: order } = await run('shopctl shipping create --input order.json --external-id WEB-1 -o name');
  await run('shopctl shipping create --input order.json --external-id WEB-1 -o name || echo "that ended with $?"');
  await run(`shopctl sandbox advance ${order} --to delivering --quiet`);
  await run(`shopctl shipping cancel ${order} --cancel-reason late --yes || echo "that ended with $?"`);
  const only = '--order-only --json --query "fulfillment_errors[].code"';
  await run(`shopctl shipping cancel ${order} --cancel-reason late --yes ${only}`);
  await run(`shopctl shipping get ${order} --json --query "fulfillments[].shipping_state"`);
  await run(`shopctl orders list --profile sandbox-shop -o jsonl --fields external_id,status | cat`);
  await expect(text()).toMatchFileSnapshot('stories/a-parcel-in-a-shell.txt');
});

it('tells of changes that reach the webhooks of a partner and of a shop', async () => {
  const { run, text } = shellOf();
  const receiver = await listeningReceiver();
  const { host } = new URL(receiver.url);
  await run('shopctl sandbox clock freeze > /dev/null');
  await run(`shopctl webhooks create --url http://${host}/partner --entities order -o name > /dev/null`);
  await run(
    `shopctl webhooks create --url http://${host}/shop --entities customer --entities order -o name > hook.txt`,
    asShop,
  );
  const { out: customer } = await run('shopctl customers create --full-name Hoa --phone 0966123456 -o name', asShop);
  await run(`shopctl customers update ${customer} --note=tea --fields note`, asShop);
  await run('shopctl shipping create --input order.json --external-id WEB-2 --fields order.status');
  await run('shopctl sandbox clock advance 30s --until-idle > /dev/null');
  await run('shopctl webhooks list --profile sandbox-shop --fields url,states.state,states.last_error');
  await run('shopctl sandbox clock real > /dev/null');
  const heard = receiver.requests.flatMap(({ path, callback: { changes } }) =>
    changes.map(({ entity, change_type }) => `${path} ${entity} ${change_type}`),
  );
  expect(heard.sort()).toEqual([
    '/partner order create',
    '/partner order update',
    '/shop customer create',
    '/shop customer update',
    '/shop order create',
    '/shop order update',
  ]);
  await run('shopctl webhooks delete $(cat hook.txt) --yes --json --query "webhooks"', asShop);
  await expect(text().replaceAll(host, 'RECEIVER')).toMatchFileSnapshot('stories/changes-that-are-heard.txt');
});

it('tells of streams that are closed, full, or read by nobody', async () => {
  const { run, text } = shellOf();
  const shop = (line: string) => run(line, asShop);
  await shop(
    'for n in 1 2 3 4 5; do shopctl customers create --full-name "Khách $n" --phone 090123456$n -o name > /dev/null; done',
  );
  await shop('shopctl customers list --fields full_name,phone');
  await shop('shopctl customers list --page-size 1 --all -o jsonl --fields full_name | head -n 1; echo $PIPESTATUS');
  await shop('shopctl commands --json | true; echo $PIPESTATUS');
  await shop('shopctl --help | head -n 1; echo $PIPESTATUS');
  await shop('shopctl account show --fields name <&-');
  await shop(
    'printf "full_name: Hoa\\nphone: \\"0909123456\\"\\n" | shopctl customers create --input - --json --fields full_name,phone',
  );
  await shop('shopctl customers create --input - --dry-run < /dev/null');
  await shop('shopctl account show --json > /dev/full');
  await shop('shopctl customers create --full-name Mai --phone 0910123456 --json --fields full_name > /dev/full');
  await shop('shopctl customers create --full-name Nga --phone 0911123456 >&-');
  await shop('shopctl customers list --json --query "[].full_name | sort(@)" -o json');
  await expect(text()).toMatchFileSnapshot('stories/streams.txt');
});

it('tells every exit code that a script meets', async () => {
  const { run, text } = shellOf();
  const shop = (line: string, env = {}) => run(line, { ...asShop, ...env });
  await shop('shopctl account show -q > /dev/null');
  await shop('shopctl customers get');
  await shop('shopctl customers get 1');
  await shop('shopctl account show', { SHOPCTL_API_KEY: '1:not-the-key-of-anybody' });
  await run('shopctl account show', { SHOPCTL_CONFIG_DIR: join(program.home, 'elsewhere') });
  await shop('shopctl account show --base-url http://127.0.0.1:1 --max-retries 0');
  await shop('shopctl service version --base-url http://127.0.0.1:1 --max-retries 0', {
    SHOPCTL_API_KEY: '1:a-key-of-its-own',
  });
  await run('shopctl auth login --no-input --json --query status -o json');
  await shop('shopctl totals check examples/order-complete.json -o name > /dev/null');
  await shop(
    `shopctl totals check <(sed 's/"total_amount": *[0-9]*/"total_amount": 1/' examples/order-complete.json) --json --query "[?result=='different'].field"`,
  );
  await shop('shopctl customers create --full-name Lan --phone 0901234567 --read-only');
  await shop('shopctl sandbox faults add shop.Misc/CurrentAccount --once --do status=500,code=internal -q -o name');
  await shop('shopctl account show');
  await shop('shopctl history changes --json --query "changes[].entity"');
  await shop('shopctl account show', { SHOPCTL_TIMEOUT: 'soon' });
  await expect(text()).toMatchFileSnapshot('stories/exit-codes.txt');
});

/** A service that says what it is, and never answers anything else; `asked` resolves with the first such request. */
async function silentService() {
  let tell = () => {};
  const asked = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const server = await rawServer((socket, _, request) => {
    if (request.includes('VersionInfo')) socket.write(httpAnswer(200, '{}'));
    else tell();
  });
  return { ...server, asked };
}

describe('Ctrl-C', () => {
  it.each([
    ['a read', ['account', 'show'], 'SIGINT', 130],
    ['a read, by SIGTERM', ['account', 'show'], 'SIGTERM', 143],
    [
      'a write that may have happened',
      ['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567'],
      'SIGINT',
      10,
    ],
  ] as const)('ends %s at once, with its exit code', async (_, words, signal, exit) => {
    const service = await silentService();
    try {
      const env = { SHOPCTL_API_KEY: '1:a-key-of-a-test', SHOPCTL_AS: 'shop', SHOPCTL_BASE_URL: service.origin };
      const child = start(words, env);
      await service.asked;
      child.kill(signal);
      const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      expect([code, out]).toEqual([exit, '']);
    } finally {
      await service.close();
    }
  });
});

it('ends the sandbox cleanly when it is interrupted', async () => {
  const { run } = shellOf();
  sandbox.kill('SIGINT');
  const [code] = await once(sandbox, 'exit');
  expect(code).toBe(0);
  const { exit, out } = await run('shopctl sandbox status --json');
  expect([exit, JSON.parse(out)]).toEqual([0, []]);
});
