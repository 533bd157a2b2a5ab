// Listeners and webhooks: what is received, forwarded in order, registered, and removed again.
import { expect, expectExit, expectSays } from './stage.mjs';

const listen = ['webhooks', 'listen', '--port', '0', '-o', 'json'];

/** A callback of one change of a customer. */
const callback = (record, name, at) => {
  const time = new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString();
  const customer = { id: record, shop_id: '1', full_name: name };
  const change = { entity: 'customer', change_type: 'update', time, changed: { customer }, latest: { customer } };
  return JSON.stringify({ id: '1', changes: [change] });
};

async function post(url, body) {
  const answer = await fetch(url, { method: 'POST', body });
  return [answer.status, await answer.text()];
}

/** A listener that is ready, and its address. */
async function listener(stage, ...words) {
  const running = stage.start([...listen, ...words]);
  const { stdout } = await running.saying(/"event":"ready".*\n/);
  const { url } = JSON.parse(stdout.split('\n').find((line) => line.includes('"event":"ready"')));
  return { ...running, url };
}

/** The situations of webhooks. */
export const ofWebhooks = [
  {
    // stripe/stripe-cli#865
    name: 'the query of a target arrives complete',
    async run(stage) {
      const at = await stage.http(() => ({ body: 'ok' }));
      const { url, ...running } = await listener(
        stage,
        '--forward-to',
        `${at.url}/slow?option=app1&task=x%20y&z=`,
        '--count',
        '1',
      );
      expect((await post(url, callback('11', 'A', 1)))[0] === 200, 'acknowledged');
      expectExit(await running.ended, 0);
      expect(at.seen[0]?.path === '/slow?option=app1&task=x%20y&z=', 'the whole path', at.seen);
    },
  },
  {
    // stripe/stripe-cli#1191
    name: 'changes of a record reach a target in order, though it refuses the first',
    async run(stage) {
      const at = await stage.http((_, { count }) => (count === 1 ? { status: 500 } : { body: 'ok' }));
      const { url, kill, ended } = await listener(stage, '--forward-to', `${at.url}/hook`);
      for (const [index, name] of ['n1', 'n2', 'n3', 'n4', 'n5'].entries())
        await post(url, callback('12', name, index));
      const names = () => at.seen.map(({ body }) => /"full_name":"(n\d)"/.exec(body)?.[1]);
      while (!names().includes('n5')) await new Promise((turn) => setTimeout(turn, 20));
      kill('SIGINT');
      expectExit(await ended, 0);
      expect(names().join() === 'n1,n1,n2,n3,n4,n5', 'in order', names());
    },
  },
  {
    // stripe/stripe-cli#435, #600, #273
    name: 'a target that is not running is told with its reason',
    async run(stage) {
      const { url, kill, ended, saying } = await listener(stage, '--forward-to', 'http://127.0.0.1:1/hook');
      await post(url, callback('13', 'A', 1));
      await saying(/ECONNREFUSED/);
      kill('SIGTERM');
      expectExit(await ended, 0);
    },
  },
  {
    // stripe/stripe-cli#733, #896
    name: 'a proxy before a listener may keep its prefix',
    async run(stage) {
      const { url, ended } = await listener(stage, '--count', '1');
      const { origin, pathname } = new URL(url);
      const wrong = await post(`${origin}/hooks/other`, callback('14', 'A', 1));
      const right = await post(`${origin}/hooks${pathname}`, callback('14', 'A', 1));
      expect(wrong[0] === 404 && right.join() === '200,ok', 'the secret decides', [wrong, right]);
      expectExit(await ended, 0);
    },
  },
  {
    // stripe/stripe-cli#1059, stripe/stripe-apps#820
    name: 'Ctrl-C ends a listener that awaits something, and removes its webhook',
    async run(stage) {
      const { kill, ended } = await listener(
        stage,
        '--register',
        '--name',
        'awaits',
        '--expect',
        "entity == 'zzz'",
        '--within',
        '60s',
      );
      kill('SIGINT');
      expectExit(await ended, 130);
      const { stdout } = await stage.run(['webhooks', 'list', '-o', 'json']);
      expect(JSON.parse(stdout).length === 0 || !stdout.includes('awaits'), 'no webhook is left', stdout);
    },
  },
  {
    // ngrok/ngrok-javascript#123
    name: 'a signal while a webhook is being created leaves none behind, or names it',
    async run(stage) {
      let hook;
      const asked = new Promise((resolve) => {
        hook = resolve;
      });
      let id;
      const at = await stage.http(async (request, { forward }) => {
        if (!request.path.endsWith('/CreateWebhook')) return forward();
        const answer = await forward();
        ({ id } = JSON.parse(answer.body));
        hook();
        await new Promise((turn) => setTimeout(turn, 300));
        return answer;
      });
      const running = stage.start([...listen, '--register', '--name', 'starting'], { env: at.shop });
      await asked;
      running.kill('SIGINT');
      const ended = await running.ended;
      expectExit(ended, 0, 130, 10);
      const { stdout } = await stage.run(['webhooks', 'list', '-o', 'name']);
      expect(!stdout.includes(id) || ended.stderr.includes(id), 'removed, or named', [id, stdout, ended.stderr]);
    },
  },
  {
    // ygncode/pi-web#121
    name: 'a hung-up terminal ends a listener that awaits something with 129',
    async run(stage) {
      const { kill, ended } = await listener(stage, '--count', '1');
      kill('SIGHUP');
      expectExit(await ended, 129);
    },
  },
  {
    // cockroachdb/cockroach#9024
    name: 'SIGTERM is told by the exit code of what was awaited',
    async run(stage) {
      const { kill, ended } = await listener(stage, '--count', '1');
      kill('SIGTERM');
      expectExit(await ended, 143);
    },
  },
  {
    // modelcontextprotocol/inspector#214, nodejs/node#4104
    name: 'a listener names the port that is taken',
    async run(stage) {
      const port = await stage.tcp(() => {});
      const ended = await stage.run(['webhooks', 'listen', '--port', String(port)]);
      expectExit(ended, 5);
      expectSays(ended.stderr, String(port));
    },
  },
  {
    // lowdefy/lowdefy#276, TryGhost/Ghost#3990
    name: 'a sandbox names the port that is taken, and how to choose another',
    async run(stage) {
      const port = await stage.tcp(() => {});
      const ended = await stage.run(['sandbox', 'start', '--ephemeral', '--port', String(port)], { env: {} });
      expectExit(ended, 5);
      expectSays(ended.stderr, String(port), '--port');
    },
  },
  {
    // openai/codex#13594
    name: 'a sandbox that is ended by SIGTERM leaves no record of itself',
    async run(stage) {
      const start = ['sandbox', 'start', '--ephemeral', '--port', '0', '--no-console', '--seed', 'none', '-o', 'json'];
      const running = stage.start(start, { env: {} });
      await running.saying(/"event":"ready"/);
      running.kill('SIGTERM');
      expectExit(await running.ended, 0);
      const { stdout } = await stage.run(['sandbox', 'status', '-o', 'json'], { env: {} });
      expect(JSON.parse(stdout).length === 0, 'none is listed', stdout);
    },
  },
  {
    // couchbase/sync_gateway#1925, livepeer/go-livepeer#1936
    name: 'a password in the address of a receiver is refused, and not repeated',
    async run(stage) {
      for (const words of [
        ['webhooks', 'send', 'http://me:hush@127.0.0.1:1/x', '--entity', 'order'],
        ['webhooks', 'create', '--url', 'https://me:hush@shop.example/x', '--entities', 'order'],
        ['webhooks', 'listen', '--port', '0', '--forward-to', 'http://me:hush@127.0.0.1:1/x'],
      ]) {
        const ended = await stage.run(words);
        expectExit(ended, 2);
        expect(!ended.stderr.includes('hush'), 'no password', ended.stderr);
      }
    },
  },
];
