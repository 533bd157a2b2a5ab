// Proxies, addresses and ports: what is dialled, how often, and who is blamed.
import { errorIn, expect, expectExit, expectSays } from './stage.mjs';

const show = ['account', 'show'];
const through = (env, url, more = {}) => ({
  env: { ...env, HTTPS_PROXY: url, SHOPCTL_BASE_URL: 'https://svc.example', ...more },
});

/** A situation: what is tried, and the reports that it follows in a comment beside it. */
export const ofProxies = [
  {
    // nodejs/undici#3897, #5093
    name: 'a proxy that drops CONNECT is dialled once an attempt, is named, and its password is not',
    async run({ tcp, run, asShop }) {
      let dialled = 0;
      const port = await tcp((socket) => {
        dialled += 1;
        socket.once('data', () => socket.destroy());
      });
      const ended = await run(
        [...show, '--timeout', '5', '--max-retries', '0'],
        through(asShop, `http://u:hush@127.0.0.1:${port}`),
      );
      expectExit(ended, 7);
      expectSays(ended.stderr, `127.0.0.1:${port}`);
      expect(dialled <= 2 && !ended.stderr.includes('hush'), 'one dial, no password', [dialled, ended.stderr]);
    },
  },
  {
    // delvedor/hpagent#120, apify/got-scraping#55
    name: 'a % in the password of a proxy is refused in words',
    async run({ run, asShop }) {
      const ended = await run(show, through(asShop, 'http://lan:p%w@127.0.0.1:9'));
      expectExit(ended, 14);
      expectSays(ended.stderr, '%25');
    },
  },
  {
    // Shopify/cli#3072, Kong/insomnia#2512
    name: 'proxies of other kinds, and domain users, are refused in words',
    async run({ run, asShop }) {
      for (const url of [
        'socks5h://127.0.0.1:9',
        'socks4://127.0.0.1:9',
        'ftp://127.0.0.1:9',
        'file:///x.pac',
        'direct://',
        'http://CORP\\lan:pw@127.0.0.1:9',
        'http://lan:1?pw@127.0.0.1:9',
      ]) {
        const ended = await run(show, through(asShop, url));
        expectExit(ended, 14);
        expectSays(ended.stderr, 'HTTPS_PROXY');
      }
    },
  },
  {
    // aws/aws-cdk-cli#369, google-gemini/gemini-cli#3340
    name: 'NO_PROXY takes networks, IPv6 without brackets, and a trailing dot',
    async run({ run, asShop }) {
      for (const host of ['[fd00::1]', '10.255.255.1', 'a.corp.example']) {
        const env = { NO_PROXY: 'fd00::1,10.0.0.0/8,corp.example.', SHOPCTL_BASE_URL: `https://${host}` };
        const ended = await run(['doctor', '--dry-run', '-o', 'json'], through(asShop, 'http://127.0.0.1:9', env));
        const proxy = JSON.parse(ended.stdout).find(({ check }) => check === 'proxy');
        expect(proxy?.found === 'none in use', `no proxy for ${host}`, proxy);
      }
      const env = { NO_PROXY: '10.0.0.0/', SHOPCTL_BASE_URL: 'https://11.1.2.3' };
      const ended = await run(['doctor', '--dry-run'], through(asShop, 'http://127.0.0.1:9', env));
      expectSays(ended.stdout, 'http://127.0.0.1:9 in use');
    },
  },
  {
    // soimort/translate-shell#305, libwww-perl/Net-HTTP#25
    name: 'a proxy that never answers is named when the time is up',
    async run({ tcp, run, asShop }) {
      const port = await tcp(() => {});
      const ended = await run(
        [...show, '--timeout', '1', '--max-retries', '0'],
        through(asShop, `http://127.0.0.1:${port}`),
      );
      expectExit(ended, 7);
      expectSays(ended.stderr, `127.0.0.1:${port}`);
    },
  },
  {
    // curl/curl#217
    name: 'a proxy that refuses the way is named with its status',
    async run({ tcp, run, asShop }) {
      const port = await tcp((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')),
      );
      const ended = await run([...show, '--max-retries', '0'], through(asShop, `http://127.0.0.1:${port}`));
      expectExit(ended, 7);
      expectSays(ended.stderr, '403', `127.0.0.1:${port}`);
    },
  },
  {
    // asyncapi/cli#2143, cloudfoundry/cli#203
    name: 'an address at which nothing listens ends at once',
    async run({ tcp, run, asShop }) {
      const port = await tcp((socket) => socket.destroy());
      const closed = { ...asShop, SHOPCTL_BASE_URL: 'http://127.0.0.1:1' };
      const ended = await run([...show, '--max-retries', '0', '-o', 'json'], { env: closed });
      expectExit(ended, 7);
      expect(errorIn(ended).outcome === 'not_applied' && port > 0, 'nothing was applied', ended.stderr);
    },
  },
  {
    // cloudfoundry/cli#1059, router-for-me/CLIProxyAPI#2113
    name: 'a service that never answers is given up when the time is up',
    async run({ tcp, run, asShop }) {
      const port = await tcp(() => {});
      const env = { ...asShop, SHOPCTL_BASE_URL: `http://127.0.0.1:${port}` };
      const ended = await run([...show, '--timeout', '1', '--max-retries', '0'], { env });
      expectExit(ended, 7);
      expectSays(ended.stderr, 'did not answer within 1 s');
    },
  },
  {
    // npm/npm#11144
    name: 'an answer that drips byte after byte ends with the time that it has',
    async run({ tcp, run, asShop, later }) {
      const port = await tcp((socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{');
        const drip = setInterval(() => socket.write(' '), 50);
        later(() => clearInterval(drip));
        socket.on('close', () => clearInterval(drip));
      });
      const env = { ...asShop, SHOPCTL_BASE_URL: `http://127.0.0.1:${port}` };
      expectExit(await run([...show, '--timeout', '1', '--max-retries', '0'], { env }), 7);
    },
  },
  {
    // stripe/stripe-cli#621, cloudflare/workers-sdk#2457
    name: 'localhost may be ::1 alone',
    async run({ http, run, asShop }) {
      let at;
      try {
        at = await http((_, { forward }) => forward(), { host: '::1' });
      } catch (error) {
        // A machine without IPv6 has nothing to try.
        if (['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(error.code)) return;
        throw error;
      }
      expectExit(await run(show, { env: { ...asShop, SHOPCTL_BASE_URL: `http://[::1]:${at.port}` } }), 0);
    },
  },
  {
    // yrutschle/sslh#348
    name: 'a port that speaks something else is told in one sentence',
    async run({ tcp, run, asShop }) {
      for (const banner of [
        'SSH-2.0-OpenSSH_9.6\r\n',
        'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      ]) {
        const port = await tcp((socket) => socket.end(banner));
        const env = { ...asShop, SHOPCTL_BASE_URL: `http://127.0.0.1:${port}` };
        expectExit(await run([...show, '--max-retries', '0'], { env }), 7, 13);
      }
      const env = { ...asShop, SHOPCTL_BASE_URL: asShop.SHOPCTL_BASE_URL.replace('http:', 'https:') };
      expectExit(await run([...show, '--max-retries', '0'], { env }), 7);
    },
  },
  {
    // kontena/kontena#874
    name: 'what needs no service works while it is away',
    async run({ run }) {
      const env = { SHOPCTL_BASE_URL: 'http://127.0.0.1:1' };
      for (const words of [
        ['--version'],
        ['config', 'list'],
        ['help', 'exit-codes'],
        ['commands', '--brief'],
        ['batch', 'list', '--as', 'shop'],
      ]) {
        const ended = await run(words, { env: { ...env, SHOPCTL_API_KEY: '1:some-key-of-a-shop' } });
        expect(ended.code !== 7, `${words.join(' ')} asks nobody`, ended.stderr);
      }
    },
  },
];
