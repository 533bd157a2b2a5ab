// What is typed, and what is printed: streams, colours, formats, texts and exit codes.
import { openSync } from 'node:fs';
import { errorIn, expect, expectExit, expectSays } from './stage.mjs';

const one = ['orders', 'list', '--limit', '1'];
const create = ['customers', 'create', '--phone', '0901234567', '--dry-run'];

/** The situations of output. */
export const ofOutput = [
  {
    // jorgebucaran/colorette#43, chalk/chalk#213
    name: 'FORCE_COLOR=0 and false switch colour off',
    async run({ run, asShop }) {
      for (const FORCE_COLOR of ['0', 'false']) {
        const { stdout } = await run(one, { env: { ...asShop, FORCE_COLOR } });
        expect(!stdout.includes('\u001b'), 'no escape sequence', stdout);
      }
    },
  },
  {
    // vercel/vercel#17528, nodejs/node-v0.x-archive#9279
    name: 'a reader that goes away is no error, and a full disk is one in words',
    async run({ begin, bin, asShop }) {
      const program = `"${process.execPath}" "${bin}"`;
      const head = await begin(['sh', '-c', `${program} orders list --all -o jsonl | head -n 1`], { env: asShop })
        .ended;
      expectExit(head, 0);
      expect(head.stderr === '', 'quiet', head.stderr);
      const full = await begin(['sh', '-c', `${program} orders list -o json > /dev/full`], { env: asShop }).ended;
      expectExit(full, 1);
      expectSays(full.stderr, /space/);
      expect(openSync('/dev/null', 'r') > 0, 'a machine with /dev');
    },
  },
  {
    // tj/commander.js#61, #413
    name: 'values may begin with a dash',
    async run({ run }) {
      for (const words of [['--full-name', '-Lan'], ['--full-name=-Lan']]) {
        const ended = await run([...create, ...words]);
        expectExit(ended, 0);
        expectSays(ended.stdout, '-Lan');
      }
    },
  },
  {
    // lob/lob-php#84
    name: 'a text that begins with @ is told from a file',
    async run({ run }) {
      const file = await run([...create, '--full-name', '@nguyen']);
      expectExit(file, 2, 3);
      expectSays(file.stderr, '@@');
      expectSays((await run([...create, '--full-name', '@@nguyen'])).stdout, '@nguyen');
    },
  },
  {
    // jdx/usage#674, kislyuk/argcomplete#456
    name: 'JSON that a shell has changed is told with its place',
    async run({ run }) {
      for (const data of ["'{id:1}'", '{id:1}', '{“id”: “1”}']) {
        expectExit(await run(['api', 'shop.Order/GetOrder', '--data', data]), 2);
      }
    },
  },
  {
    // ccusage/ccusage#1483, CVEProject/cve-services#817
    name: 'days that do not exist are refused, and so is text that is no UTF-8',
    async run({ run, begin, bin, asShop }) {
      expectExit(await run(['orders', 'list', '--since', '2026-02-30']), 2);
      const script = `exec "${process.execPath}" "${bin}" customers create --phone 0901234567 --full-name "$(printf 'L\\340n')"`;
      const ended = await begin(['sh', '-c', script], { env: asShop }).ended;
      expectExit(ended, 2);
      expectSays(ended.stderr, '--full-name', 'UTF-8');
    },
  },
  {
    // httpie/cli#1812, curl/curl#6150
    name: 'text of the service cannot control the terminal',
    async run({ http, run }) {
      const evil = 'evil\u001b[2J\u001b]0;title\u0007';
      const at = await http(async (_, { forward }) => {
        const answer = await forward();
        return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), name: evil }) };
      });
      const { stdout } = await run(['account', 'show'], { env: at.shop });
      expect(stdout.includes('evil') && !/[\u001b\u0007]/.test(stdout), 'made safe', stdout);
    },
  },
  {
    // resend/resend-cli#240, eminwux/sbsh#390
    name: 'neither can an error of the service',
    async run({ http, run }) {
      const at = await http(() => ({
        status: 400,
        body: JSON.stringify({ code: 'invalid_argument', msg: 'no\u001b[2J\nway' }),
      }));
      const { stderr } = await run(['account', 'show'], { env: at.shop });
      expect(!stderr.includes('\u001b'), 'made safe', stderr);
    },
  },
  {
    // heroku/cli#1736, dapr/cli#1015, entrius/gittensor#956
    name: 'stdout is one JSON document, whatever else is said',
    async run({ run, asShop }) {
      const ended = await run([...one, '-o', 'json', '--debug'], { env: asShop });
      expectExit(ended, 0);
      expect(JSON.parse(ended.stdout).length === 1, 'one record');
      for (const line of ended.stderr.trim().split('\n')) JSON.parse(line);
    },
  },
  {
    // jtesta/ssh-audit#295
    name: 'an error leaves stdout empty, and is the last line of JSON on stderr',
    async run({ run }) {
      const ended = await run(['orders', 'get', '1', '--no-such-flag', '-o', 'json']);
      expectExit(ended, 2);
      expect(ended.stdout === '' && errorIn(ended).exit_code === 2, 'an error alone', ended);
    },
  },
  {
    // platformsh/cli#29, apple/foundationdb#4318
    name: 'notices go to stderr',
    async run({ run }) {
      const ended = await run(create.concat('--full-name', 'Lan'));
      JSON.parse(ended.stdout);
      expectSays(ended.stderr, 'dry run');
    },
  },
  {
    // pnp/cli-microsoft365#468, treehouses/cli#724
    name: 'what was typed wrongly ends with 2, and proposes what is meant',
    async run({ run }) {
      for (const [words, meant] of [
        [['order', 'create'], 'orders create'],
        [['login'], 'auth login'],
        [['orders', 'lst'], 'list'],
      ]) {
        const ended = await run(words);
        expectExit(ended, 2);
        expectSays(ended.stderr, meant);
      }
    },
  },
  {
    // johackim/rdcli#19, pongasoft/glu#60
    name: 'a script sees that a key is refused',
    async run({ run, asShop }) {
      const ended = await run(['account', 'show'], {
        env: { ...asShop, SHOPCTL_API_KEY: '1:not-the-right-key-at-all' },
      });
      expectExit(ended, 4);
      expect(!ended.stderr.includes('not-the-right-key'), 'not shown', ended.stderr);
    },
  },
  {
    // zendegani/XClipper#133, mandiant/ShimCacheParser#6
    name: 'csv keeps names as they are, and lets no spreadsheet run a cell',
    async run({ run }) {
      const name = '=1+1 Nguyễn';
      expectExit(await run(['groups', 'create', '--name', name]), 0);
      const { stdout } = await run(['groups', 'list', '--all', '-o', 'csv', '--fields', 'name']);
      const line = stdout.split('\n').find((text) => text.includes('Nguyễn'));
      expect(line !== undefined && !/^"?=/.test(line), 'a text', line);
    },
  },
  {
    // JSONPath-Plus/JSONPath#210, #169
    name: 'an expression that compares with one = is refused',
    async run({ run }) {
      expectExit(await run([...one, '-o', 'json', '--query', "[?code = 'x'].code"]), 2);
    },
  },
];
