import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { ask, run, start } from './machine.mjs';
import { unexplained } from './orders.mjs';

/** Whether all that failed was to print the end of a run that sends nothing: that is named, and has exit 1. */
const isUntold = ({ exit, stderr }) => exit === 1 && stderr.includes('the output could not be written');

/** A sync of a mirror, after records of several lists were made, changed and removed. */
export const mirror = {
  async prepare(world) {
    const group = await world.service.call('shop.CustomerGroup/CreateGroup', { name: 'Không còn' });
    await run(world.home, ['mirror', 'sync', '-q'], world);
    await change(world.service);
    await world.service.call('shop.CustomerGroup/DeleteGroup', { id: group.id });
    await world.service.call('shop.Product/CreateProduct', { name: 'Hàng mới', retail_price: 10_000 });
  },
  words: () => ['mirror', 'sync', '-q'],
  async judge(world, first) {
    const again = await run(world.home, ['mirror', 'sync', '-q'], world);
    const compared = await run(world.home, ['mirror', 'verify', '-o', 'json'], world);
    const wrong = [...(isUntold(first) ? [] : unexplained('the sync', first)), ...unexplained('the second one', again)];
    if (again.exit !== 0) wrong.push(`the second one ended with ${again.exit}: ${again.stderr.slice(-400)}`);
    if (compared.exit !== 0 || JSON.parse(compared.stdout).length > 0) {
      wrong.push(`verify ended with ${compared.exit}: ${compared.stdout.slice(0, 400)}${compared.stderr.slice(-400)}`);
    }
    return { wrong, again: again.exit };
  },
};

/** Waits for what has no event of its own, such as a line in another process's output. */
async function until(isSo, mostMs) {
  for (const deadline = Date.now() + mostMs; !(await isSo()); ) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}

/** Where changes are forwarded to: remembers each, in their order. */
async function startTarget() {
  const arrivals = [];
  const server = createServer(async (asked, answer) => {
    let body = '';
    for await (const chunk of asked.setEncoding('utf8')) body += chunk;
    arrivals.push({ change: asked.headers['x-shopctl-change'], changes: JSON.parse(body).changes });
    answer.end('ok');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  return {
    arrivals,
    url: `http://127.0.0.1:${port}/hook`,
    end() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A port that nobody has now: the webhook stays where it is while listeners come and go. */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const listening = ({ port, target }) => [
  ...['webhooks', 'listen', '--register', '--keep', '--port', String(port)],
  ...['--forward-to', target.url, '--target-name', 'target', '-o', 'jsonl'],
];

/** Lets the service deliver whatever is due, again and again, as the hours go by. */
const deliver = ({ service }, by = '1h') => service.control('clock/advance', { by, until_idle: true });

/** Three changes to one record, and one to another. */
async function change({ call }) {
  const group = await call('shop.CustomerGroup/CreateGroup', { name: 'Mới 1' });
  for (const name of ['Mới 2', 'Mới 3']) await call('shop.CustomerGroup/UpdateGroup', { id: group.id, name });
  await call('shop.CustomerGroup/CreateGroup', { name: 'Khác' });
  return ['Mới 1', 'Mới 2', 'Mới 3', 'Khác'];
}

const MOST_MS = 20_000;

/** Listens until all that was changed has arrived at the target, or until it ends by itself. */
async function listenUntil({ home, ...world }, data, { under, meanwhile }) {
  const listener = start(home, listening(data), { ...world, under });
  let over = false;
  listener.ended.then(() => {
    over = true;
  });
  await until(
    () => over || listener.ran.stderr.includes('Listening at') || listener.ran.stdout.includes('ready'),
    MOST_MS,
  );
  await meanwhile(() => over);
  if (!over) {
    if (under === undefined) listener.child.kill('SIGTERM');
    else endUnderStrace(listener.child.pid);
  }
  return listener.ended;
}

/** Ends the program that strace runs, its only child; not if that has just ended by itself. */
function endUnderStrace(pid) {
  const child = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));
  if (child > 0) process.kill(child, 'SIGTERM');
}

/** What is wrong with what was stored, and with what arrived, of the changes that were made. */
function compare(names, stored, arrivals) {
  const wrong = [];
  const nameOf = ({ changed }) => changed.customer_group.name;
  if (stored.map(nameOf).join() !== names.join()) wrong.push(`stored is ${stored.map(nameOf).join() || 'nothing'}`);
  const firsts = [...new Map(arrivals.map((arrival) => [arrival.change, arrival]).reverse()).values()].reverse();
  const arrived = firsts.map(({ changes }) => nameOf(changes[0]));
  if (arrived.toSorted().join() !== names.toSorted().join()) wrong.push(`arrived is ${arrived.join() || 'nothing'}`);
  const ofOne = arrived.filter((name) => name.startsWith('Mới'));
  if (ofOne.join() !== ofOne.toSorted().join()) wrong.push(`the changes of one record arrived as ${ofOne}`);
  return wrong;
}

/** A listener with a target, while changes come. */
export const listener = {
  async prepare(world) {
    const target = await startTarget();
    const data = { target, port: await freePort() };
    // It registers its webhook.
    await listenUntil(world, data, { meanwhile: async () => {} });
    return data;
  },
  end: ({ target }) => target.end(),
  words: (_, data) => listening(data),
  async drive(world, data, { under }) {
    data.target.arrivals.length = 0;
    return listenUntil(world, data, {
      under,
      async meanwhile(isOver) {
        data.names = await change(world.service);
        await deliver(world);
        await until(() => isOver() || haveArrived(data), 5_000);
      },
    });
  },
  async judge(world, first, _, data) {
    const again = await listenUntil(world, data, {
      async meanwhile(isOver) {
        await until(async () => {
          await deliver(world);
          return isOver() || haveArrived(data);
        }, MOST_MS);
      },
    });
    const events = await ask(world.home, ['events', 'list', '--no-newest-first'], world);
    const stored = events.map(({ change: stored }) => stored);
    const wrong = [...unexplained('the listener', first), ...unexplained('the second one', again)];
    wrong.push(...compare(data.names, stored, data.target.arrivals));
    if (again.exit !== 0) wrong.push(`the second one ended with ${again.exit}: ${again.stderr.slice(-400)}`);
    return { wrong, again: again.exit };
  },
};

const haveArrived = ({ names, target }) => new Set(target.arrivals.map(({ change }) => change)).size === names.length;
