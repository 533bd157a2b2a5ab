// Machines: homes, directories, databases, settings, keys and signals.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorIn, expect, expectExit, expectSays } from './stage.mjs';

const show = ['account', 'show', '--max-retries', '0'];
const settings = (home) => {
  const directory = join(home, '.config', 'shopctl');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return join(directory, 'config.json');
};

/** The situations of machines. */
export const ofMachines = [
  {
    // sqlalchemy/alembic#1000, geldata/gel-cli#230
    name: 'Ctrl-C ends the wait for a database that is away, and what is waited for is told',
    async run({ start, asShop }) {
      const running = start(['batch', 'list'], {
        env: { ...asShop, SHOPCTL_WORKSPACE: 'postgres://u@127.0.0.1:1/db' },
      });
      const said = await Promise.race([running.saying(/waiting for/), running.ended]);
      if (said.code === undefined) running.kill('SIGINT');
      // A look gives up by itself soon; both are an end in words.
      expectExit(await running.ended, 130, 14);
    },
  },
  {
    // WiseLibs/better-sqlite3#1155, Sonarr/Sonarr#1886
    name: 'Ctrl-C ends the wait for a workspace that another process has locked',
    async run({ run, start, begin, home, bin }) {
      expectExit(await run(['customers', 'create', '--full-name', 'A', '--phone', '0902000001', '-o', 'name']), 0);
      const path = join(home, '.local', 'state', 'shopctl', 'workspace.db');
      const module = new URL('../node_modules/better-sqlite3/lib/index.js', `file://${bin}`).pathname;
      const script = `const D=require(${JSON.stringify(module)});const d=new D(${JSON.stringify(path)});d.exec('begin exclusive');console.log('locked');setInterval(()=>{},1000)`;
      const holder = begin([process.execPath, '-e', script]);
      try {
        await holder.saying(/locked/);
      } catch {
        // Without better-sqlite3 there is nobody who locks it.
        return;
      }
      const write = start(['customers', 'create', '--full-name', 'B', '--phone', '0902000002']);
      await write.saying(/waiting for/);
      write.kill('SIGINT');
      expectExit(await write.ended, 130);
    },
  },
  {
    // felddy/foundryvtt-docker#39, npm/osenv#14
    name: 'no home and no entry of the user are needed',
    async run({ begin, home, bin }) {
      if (process.getuid?.() !== 0) return;
      chmodSync(home, 0o777);
      const env = {
        HOME: undefined,
        SHOPCTL_CONFIG_DIR: join(home, 'c'),
        XDG_STATE_HOME: join(home, 's'),
        XDG_CACHE_HOME: join(home, 'k'),
      };
      const ended = await begin(
        ['setpriv', '--reuid', '12345', '--regid', '12345', '--clear-groups', process.execPath, bin, 'config', 'list'],
        { env, cwd: '/' },
      ).ended;
      // A checkout below a private directory cannot be read by that user.
      if (!/EACCES|Cannot find module|permission denied/i.test(ended.stderr)) expectExit(ended, 0);
    },
  },
  {
    // openclaw/openclaw#73676, vuejs/vue-cli#1627
    name: 'a working directory that was removed is not needed',
    async run({ begin, home, bin }) {
      mkdirSync(join(home, 'gone'));
      const ended = await begin([
        'sh',
        '-c',
        `cd gone && rmdir ../gone && exec "${process.execPath}" "${bin}" config list`,
      ]).ended;
      expectExit(ended, 0);
    },
  },
  {
    // logicalclocks/feature-store-api#1145, vercel/vercel#14371, sendgrid/sendgrid-nodejs#732
    name: 'a key with a line break or quotes is refused by its variable, and not shown',
    async run({ run, asShop }) {
      for (const key of [
        `${asShop.SHOPCTL_API_KEY}\n`,
        `"${asShop.SHOPCTL_API_KEY}"`,
        `\uFEFF${asShop.SHOPCTL_API_KEY}`,
      ]) {
        const ended = await run(show, { env: { ...asShop, SHOPCTL_API_KEY: key } });
        expect(ended.code !== 0 && ended.stderr.includes('SHOPCTL_API_KEY'), 'refused by name', ended.stderr);
        expect(!ended.stderr.includes(asShop.SHOPCTL_API_KEY), 'not shown', ended.stderr);
      }
    },
  },
  {
    // Eppie-io/Eppie-CLI#622, microsoft/botbuilder-tools#1046
    name: 'a key on stdin may have a BOM and CRLF, and is no UTF-16',
    async run({ fed, asShop }) {
      const add = (name) => [
        'profiles',
        'add',
        name,
        '--kind',
        'shop',
        '--base-url',
        asShop.SHOPCTL_BASE_URL,
        '--api-key-stdin',
      ];
      expectExit(await fed(add('bom'), `\uFEFF${asShop.SHOPCTL_API_KEY}\r\n`, { env: {} }), 0);
      const wide = await fed(add('wide'), Buffer.from(`\uFEFF${asShop.SHOPCTL_API_KEY}`, 'utf16le'), { env: {} });
      expect(wide.code !== 0, 'refused', wide.stderr);
    },
  },
  {
    // Shopify/cli#5654, intuit/auto#130, Platform-OS/pos-cli#233
    name: '--debug shows no key',
    async run({ run, asShop }) {
      for (const words of [show, ['orders', 'list', '--limit', '1'], ['doctor']]) {
        const { stdout, stderr } = await run([...words, '--debug'], { env: asShop });
        expect(!`${stdout}${stderr}`.includes(asShop.SHOPCTL_API_KEY.split(':')[1]), 'no key', words);
      }
    },
  },
  {
    // unofficial-memsource/memsource-cli-client#18, redhat-developer/app-services-cli#251
    name: 'a key that the service repeats in an error is not printed',
    async run({ http, run, asShop }) {
      const at = await http(() => ({
        status: 400,
        body: JSON.stringify({ code: 'invalid_argument', msg: `the key ${asShop.SHOPCTL_API_KEY} is bad` }),
      }));
      const ended = await run([...show, '--debug'], { env: at.shop });
      expect(!ended.stderr.includes(asShop.SHOPCTL_API_KEY), 'concealed', ended.stderr);
    },
  },
  {
    // cloudfoundry/cli#1071, Kilo-Org/kilocode#5113
    name: 'settings that are empty or cut off are refused with their place',
    async run({ run, home }) {
      const file = settings(home);
      for (const content of ['', '{"version": 1, ', '[]', '{"version": 99}', '\0\0']) {
        writeFileSync(file, content, { mode: 0o600 });
        const ended = await run(['config', 'list'], { env: {} });
        expectExit(ended, 14);
        expectSays(ended.stderr, file);
      }
    },
  },
  {
    // stripe/stripe-cli#787, #1004
    name: 'settings that are a directory are refused in words',
    async run({ run, home }) {
      mkdirSync(settings(home), { recursive: true });
      expectExit(await run(['config', 'list'], { env: {} }), 14);
    },
  },
  {
    // apify/apify-cli#1206, expo/eas-cli#4261
    name: 'an open stdin that says nothing is not waited for',
    async run({ start }) {
      const running = start(['orders', 'list', '--limit', '1', '-o', 'name'], { stdin: 'pipe' });
      expectExit(await running.ended, 0);
    },
  },
  {
    // SBoudrias/Inquirer.js#1286
    name: 'nothing is asked where nobody sits at a terminal: all that is missing is told at once',
    async run({ run, asShop }) {
      for (const more of [{ CI: 'true' }, { TERM: 'dumb' }]) {
        const ended = await run(['customers', 'create'], { env: { ...asShop, ...more } });
        expectExit(ended, 2);
        expectSays(ended.stderr, '--full-name', '--phone');
      }
    },
  },
  {
    // render-oss/cli#13, cli/cli#826
    name: 'a sign-in without a browser prints its address',
    async run({ run, asPartner }) {
      const ended = await run(['auth', 'login', '--no-input', '-o', 'json'], {
        env: { ...asPartner, BROWSER: '/nonexistent' },
      });
      expectExit(ended, 8);
      expectSays(ended.stdout, 'sign_in_url');
    },
  },
  {
    // rnpgp/rnp#2213, RyderFreeman4Logos/cli-sub-agent#2979
    name: 'a place that cannot be written sends nothing, and names the variable',
    async run({ run, asShop, home }) {
      writeFileSync(join(home, 'file'), '');
      const env = { ...asShop, SHOPCTL_STATE_DIR: join(home, 'file', 'state') };
      const ended = await run(['customers', 'create', '--full-name', 'A', '--phone', '0902000003', '-o', 'json'], {
        env,
      });
      expectExit(ended, 1, 14);
      expect(errorIn(ended).outcome === 'not_applied', 'nothing was sent', ended.stderr);
    },
  },
  {
    // nodejs/node#27198, #28241
    name: 'a home in which no directory can be made ends a start in the background at once',
    async run({ run, asShop }) {
      if (process.platform !== 'linux') return;
      for (const words of [
        ['sandbox', 'start', '--detach', '--port', '0'],
        ['mirror', 'sync'],
      ]) {
        const ended = await run(words, { env: { ...asShop, HOME: '/proc', SHOPCTL_CONFIG_DIR: undefined } });
        expectExit(ended, 14);
        expectSays(ended.stderr, 'SHOPCTL_STATE_DIR');
      }
    },
  },
  {
    // nodejs/node#27798, flux-framework/flux-core#730
    name: 'a limit of file sizes is told, and nothing is sent beyond it',
    async run({ begin, bin, asShop, run }) {
      if (process.platform === 'win32') return;
      const words = 'customers create --full-name Lan --phone 0904000001 --external-id LIMIT-1';
      // Behind a pipe: a limit holds for files.
      const script = `(ulimit -f 16; "${process.execPath}" "${bin}" ${words} 2>&1; echo "exit $?") | cat`;
      const { stdout } = await begin(['bash', '-c', script], { env: asShop }).ended;
      expectSays(stdout, 'workspace.db', 'ulimit -f', 'exit 1\n');
      expectExit(await run(['customers', 'get', '--external-id', 'LIMIT-1']), 3);
    },
  },
  {
    // cloudfoundry/cli#1071, criblio/appscope#25
    name: 'processes that write at once lose nothing of each other',
    async run({ run, asShop, home }) {
      const names = ['a', 'b', 'c', 'd'];
      const add = (name) => run(['profiles', 'add', name, '--base-url', asShop.SHOPCTL_BASE_URL], { env: {} });
      for (const ended of await Promise.all(names.map(add))) expectExit(ended, 0);
      const { stdout } = await run(['profiles', 'list', '-o', 'json'], { env: {} });
      expect(
        names.every((name) => stdout.includes(`"${name}"`)),
        'all are there',
        [stdout, home],
      );
      const create = (at) =>
        run(['customers', 'create', '--full-name', 'A', '--phone', `090300000${at}`, '-o', 'name']);
      for (const ended of await Promise.all([1, 2, 3].map(create))) expectExit(ended, 0);
    },
  },
  {
    // spesmilo/electrum#1638, browser-use/browser-harness#692
    name: 'three starts of one sandbox at once leave one server, and each of the others says why',
    async run({ start, later }) {
      const words = ['sandbox', 'start', '--ephemeral', '--port', '0', '--no-console', '--seed', 'none', '-o', 'json'];
      const all = [1, 2, 3].map(() => start(words, { env: {} }));
      later(async () => {
        for (const running of all) running.kill('SIGTERM');
        await Promise.all(all.map(({ ended }) => ended));
      });
      const settled = await Promise.all(
        all.map(({ saying, ended }) => Promise.race([saying(/"event":"ready"/).catch(() => ended), ended])),
      );
      const losers = settled.filter(({ code }) => code !== undefined);
      expect(losers.length === 2, 'one is left', settled);
      for (const loser of losers) {
        expectExit(loser, 5);
        expectSays(loser.stderr, 'already running');
      }
    },
  },
  {
    // kosli-dev/cli#1089, qmilab/asterism#174
    name: 'a variable that is set but empty is refused by name',
    async run({ run, asShop }) {
      for (const variable of ['SHOPCTL_API_KEY', 'SHOPCTL_BASE_URL', 'SHOPCTL_PROFILE']) {
        const ended = await run(show, { env: { ...asShop, [variable]: '' } });
        expectExit(ended, 14);
        expectSays(ended.stderr, variable, 'empty');
      }
    },
  },
];
