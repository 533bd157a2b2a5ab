import { readFileSync } from 'node:fs';
// Answers of a service, a gateway or a portal in its place: what is read, what is sent again, and what stays unknown.
import { createServer as createHttps } from 'node:https';
import { errorIn, expect, expectExit, expectSays } from './stage.mjs';

const show = ['account', 'show', '--max-retries', '0'];
const lan = (phone) => [
  'customers',
  'create',
  '--full-name',
  'Lan',
  '--phone',
  phone,
  '--max-retries',
  '0',
  '-o',
  'json',
];
const isCreate = ({ path }) => path.endsWith('/CreateCustomer');

/** Answers creates otherwise, and everything else as the sandbox does. */
const creates = (answer) => (asked, at) => (isCreate(asked) ? answer(asked, at) : at.forward());

/** A certificate for localhost with its key, which protects nothing; valid until 2120. */
const pem = readFileSync(new URL('../../test/support/self-signed.pem', import.meta.url), 'utf8');
const selfSigned = { cert: pem, key: pem };

/** The situations of answers. */
export const ofAnswers = [
  {
    // nodejs/undici#4917
    name: 'a redirect carries the key nowhere',
    async run({ http, run }) {
      const other = await http(() => ({ body: '{}' }));
      for (const status of [301, 302, 307, 308]) {
        const at = await http(() => ({ status, headers: { location: `${other.url}/x` } }));
        const ended = await run(show, { env: at.shop });
        expect(ended.code !== 0, 'not followed', ended);
        expectExit(ended, 7, 13);
      }
      expect(other.seen.length === 0, 'nothing arrived elsewhere', other.seen);
    },
  },
  {
    // nodejs/node#47130, nodejs/undici#3492, zowe/zowe-cli#2353
    name: 'a list is whole over a server that drops reused connections',
    async run({ http, run, asShop }) {
      const list = ['orders', 'list', '--all', '--page-size', '5', '-o', 'name'];
      const sockets = new WeakSet();
      const at = await http((_, { forward, socket }) => {
        if (sockets.has(socket)) return void socket.destroy();
        sockets.add(socket);
        return forward();
      });
      const [whole, seen] = [await run(list, { env: asShop }), await run(list, { env: at.shop })];
      expectExit(seen, 0);
      expect(seen.stdout === whole.stdout && whole.stdout.length > 20, 'the same ids', seen.stdout.length);
    },
  },
  {
    // coder/coder#8297, Icenium/icenium-cli#1485
    name: 'a web page in the place of an answer is told as one, and leaves a write unknown',
    async run({ http, run }) {
      const page = { headers: { 'content-type': 'text/html' }, body: '<html><title>Sign in to the network</title>' };
      for (const status of [200, 403, 404, 502, 511]) {
        const at = await http(() => ({ ...page, status }));
        const ended = await run(show, { env: at.shop });
        expectSays(ended.stderr, 'with a web page ("Sign in to the network")');
        expect(ended.code !== 0, 'it failed');
      }
      const at = await http(creates(() => ({ ...page, status: 502 })));
      const ended = await run(lan('0901000001'), { env: at.shop });
      expectExit(ended, 10);
      expect(errorIn(ended).outcome === 'unknown', 'unknown', ended.stderr);
    },
  },
  {
    // ArchiveTeam/wpull#14, rbren/rss-parser#280
    name: 'an answer that is compressed without being asked for is told as that',
    async run({ http, run }) {
      const at = await http((_, { response }) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
        response.end(Buffer.from('1f8b0800000000000003abae050043bfa6a302000000', 'hex'));
      });
      const ended = await run(show, { env: at.shop });
      expectExit(ended, 13);
      expectSays(ended.stderr, 'gzip');
    },
  },
  {
    // urllib3/urllib3#3743, openclaw/graincrawl#87
    name: 'a giant Retry-After is told, and not waited for',
    async run({ http, run }) {
      const busy = {
        status: 429,
        headers: { 'retry-after': '99999999' },
        body: '{"code":"resource_exhausted","msg":"too many"}',
      };
      const at = await http(() => busy);
      const read = await run(['account', 'show'], { env: at.shop });
      expectExit(read, 6);
      expectSays(read.stderr, '99999999 s');
      const create = await http(creates(() => busy));
      expectSays((await run(lan('0901000002'), { env: create.shop })).stderr, '99999999 s', '429');
    },
  },
  {
    // stripe/stripe-cli#1006
    name: 'an answer that ends early is no answer',
    async run({ tcp, run, asShop }) {
      for (const bytes of [
        'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":',
        'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n20\r\n{"id":',
        'HTTP/1.0 200 OK\r\n\r\n{"id":',
      ]) {
        const port = await tcp((socket) => socket.once('data', () => socket.end(bytes)));
        expectExit(await run(show, { env: { ...asShop, SHOPCTL_BASE_URL: `http://127.0.0.1:${port}` } }), 7, 13);
      }
    },
  },
  {
    // stripe/stripe-cli#108, Shopify/cli#5858
    name: 'a certificate of its own is refused, and taken with its authority',
    async run({ http, run, asShop, home }) {
      const { writeFileSync } = await import('node:fs');
      const at = await http((_, { forward }) => forward(), { create: (handle) => createHttps(selfSigned, handle) });
      const env = { ...asShop, SHOPCTL_BASE_URL: `https://127.0.0.1:${at.port}` };
      const refused = await run(show, { env });
      expectExit(refused, 7);
      expectSays(refused.stderr, /certificate/i);
      writeFileSync(`${home}/ca.pem`, selfSigned.cert);
      expectExit(await run(show, { env: { ...env, NODE_EXTRA_CA_CERTS: `${home}/ca.pem` } }), 0);
    },
  },
  {
    // digitalocean/netbox-ip-controller#14, cityindex-attic/CIAPI.CS#116
    name: 'a create whose answer was lost is not made twice',
    async run({ http, run, asShop }) {
      const at = await http(
        creates(async (_, { forward, socket }) => {
          await forward();
          socket.destroy();
        }),
      );
      const words = [...lan('0901000003'), '--external-id', 'LOST-1'];
      const ended = await run(words, { env: at.shop });
      expectExit(ended, 0, 10);
      const listed = await run(['customers', 'list', '--all', '-o', 'json'], { env: asShop });
      expect(JSON.parse(listed.stdout).filter(({ external_id }) => external_id === 'LOST-1').length === 1, 'made once');
    },
  },
  {
    // currents-dev/currents-mcp#163, adamcavendish/aioduct#79
    name: 'what was never sent is told apart from what may have been carried out',
    async run({ http, run, asShop }) {
      const away = await run(lan('0901000004'), { env: { ...asShop, SHOPCTL_BASE_URL: 'http://127.0.0.1:1' } });
      expectExit(away, 7);
      expect(errorIn(away).outcome === 'not_applied', 'not applied', away.stderr);
      const at = await http((asked, { forward, socket }) => (isCreate(asked) ? void socket.destroy() : forward()));
      const lost = await run(lan('0901000005'), { env: at.shop });
      expectExit(lost, 10);
      expect(errorIn(lost).outcome === 'unknown', 'unknown', lost.stderr);
    },
  },
  {
    // softonic/axios-retry#146
    name: 'a read is asked again after a passing failure',
    async run({ http, run }) {
      const later = { status: 503, headers: { 'retry-after': '0' }, body: '{"code":"unavailable","msg":"later"}' };
      const at = await http((_, { forward, count }) => (count === 1 ? later : forward()));
      expectExit(await run(['account', 'show'], { env: at.shop }), 0);
      expect(at.seen.length === 2, 'two calls', at.seen.length);
    },
  },
  {
    // CrowdStrike/rusty-falcon#36
    name: 'the last page of a list is not left out, whatever its size',
    async run({ run }) {
      const ids = async (size) =>
        (await run(['customers', 'list', '--all', '--page-size', size, '-o', 'name'])).stdout.split('\n').sort();
      const [whole, ...others] = [await ids('100'), await ids('1'), await ids('2'), await ids('3')];
      // Other situations create customers meanwhile.
      for (const other of others)
        expect(whole.filter((id) => !other.includes(id)).length === 0, 'each is there', other.length);
    },
  },
  {
    // CrossRef/rest-api-doc#303, AvaProtocol/EigenLayer-AVS#75
    name: 'a cursor that always leads on does not loop for ever',
    async run({ http, run }) {
      let first;
      const at = await http(async (_, { forward }) => {
        first ??= await forward();
        const answer = JSON.parse(first.body);
        return { ...first, body: JSON.stringify({ ...answer, paging: { ...answer.paging, next: 'again' } }) };
      });
      const ended = await run(['orders', 'list', '--all', '--page-size', '2', '-o', 'name'], { env: at.shop });
      // A cursor that was sent before is the end of a list.
      expectExit(ended, 0);
      expect(at.seen.length < 5, 'it ends', at.seen.length);
    },
  },
  {
    // databricks/cli#5494, jqlang/jq#1783
    name: 'ids of 64 bits keep all their digits, in and out',
    async run({ http, run, asShop }) {
      const at = await http(({ body }, { forward }) => (body.includes('9007199254740993') ? forward() : forward()));
      const words = ['api', 'shop.Customer/GetCustomer', '--data', '{"id": 1234567890123456789}', '--dry-run'];
      expectSays((await run(words, { env: asShop })).stdout, '1234567890123456789');
      const { stdout } = await run(['orders', 'list', '--limit', '1', '-o', 'json'], { env: at.shop });
      const [{ id }] = JSON.parse(stdout);
      expectSays((await run(['orders', 'list', '--limit', '1', '-o', 'csv'], { env: asShop })).stdout, /\d{15,}/);
      expect(typeof id === 'string' && /^\d{15,}$/.test(id), 'a text of digits', id);
    },
  },
  {
    // IvanMathy/Boop#372, rhysd/fixjson#19
    name: 'a raw number of 19 digits in a file is sent as it stands',
    async run({ fed }) {
      const ended = await fed(
        ['api', 'shop.Order/GetOrder', '--data', '-', '--dry-run'],
        '{"id": 3791411052119578828}',
      );
      expectExit(ended, 0);
      expectSays(ended.stdout, '3791411052119578828');
    },
  },
  {
    // leggedrobotics/kleinkram#225, cloudsmith-io/cloudsmith-cli#6
    name: 'a record that is not there is no success',
    async run({ run }) {
      const ended = await run(['orders', 'get', '1234567890123456789', '-o', 'json']);
      expectExit(ended, 3);
      expect(ended.stdout === '' && errorIn(ended).exit_code === 3, 'an error alone', ended);
    },
  },
];
