import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

/** A place of its own, and a way to run the program there under a largest size of files, in blocks of 1024 bytes. */
function place() {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-full-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const { PATH = '' } = process.env;
  const env = { PATH: `${program.bin}:${PATH}`, HOME: directory, SHOPCTL_CONFIG_DIR: directory, SHOPCTL_NO_INPUT: '1' };
  return {
    directory,
    run(line: string, limit = 'unlimited', input = '') {
      const { status, stdout, stderr } = spawnSync('bash', ['-c', `ulimit -f ${limit}; ${line}`], {
        cwd: directory,
        env,
        input,
        encoding: 'utf8',
      });
      return { exit: status, stdout, stderr };
    },
  };
}

const add = (name: string) =>
  `shopctl profiles add ${name} --base-url https://shop.example --kind shop --api-key-stdin --no-check`;

it('settings that a full disk takes none of stay as they were, with exit 1', () => {
  const { directory, run } = place();
  expect(run(add('first'), 'unlimited', 'shop:first-key-123').exit).toBe(0);
  const before = readFileSync(join(directory, 'config.json'), 'utf8');
  const { exit, stderr } = run(add('second'), '0', 'shop:second-key-456');
  expect({ exit, stderr }).toMatchObject({ exit: 1 });
  expect(stderr).toContain('config.json');
  expect(stderr).not.toContain('second-key');
  expect(readFileSync(join(directory, 'config.json'), 'utf8')).toBe(before);
  expect(run('shopctl profiles list -o name').stdout).toBe('first\n');
  expect(readdirSync(directory).filter((name) => /draft|tmp|lock/.test(name))).toEqual([]);
});

it('a limit of file sizes is named, and kills no command in the middle of what it writes', () => {
  const { run } = place();
  for (const name of ['first', 'second', 'third']) run(add(name), 'unlimited', `shop:${name}-key-123`);
  const long = `shopctl config set sign_in_component_url https://shop.example/${'x'.repeat(1500)}`;
  const { exit, stderr } = run(`${long} --profile first`, '1');
  expect({ exit, stderr }).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining('limit of file sizes (ulimit -f)'),
  });
});

it('a limit of file sizes keeps a create from being sent, or hides none that was: the file and the limit are named', () => {
  const { directory, run } = place();
  const limits = [16, 24, 32, 100, 400];
  const create = 'shopctl customers create --full-name Lan --phone 0901234567 -o name --external-id';
  const script = `for limit in ${limits.join(' ')}; do
    (ulimit -f $limit; ${create} L$limit > out$limit 2> err$limit; echo $? > exit$limit)
    shopctl customers get --external-id L$limit -o name > there$limit 2> missing$limit
    ${create} L$limit > again$limit 2> told$limit
  done`;
  writeFileSync(join(directory, 'limits.sh'), script);
  expect(run('shopctl sandbox exec --profile sandbox-shop -- bash limits.sh')).toMatchObject({ exit: 0 });
  const written = (name: string) => readFileSync(join(directory, name), 'utf8');
  const failed = limits.filter((limit) => {
    const [exit, err] = [written(`exit${limit}`).trim(), written(`err${limit}`)];
    expect([limit, written(`out${limit}`)]).toEqual([limit, written(`there${limit}`)]);
    if (exit === '0') return err !== '';
    expect([limit, exit, err]).toEqual([limit, '1', expect.stringMatching(/workspace\.db.*\n.*ulimit -f/)]);
    // Without the limit it is sent, once.
    expect(written(`again${limit}`)).toMatch(/^\d+\n$/);
    return true;
  });
  expect(failed.length).toBeGreaterThan(0);
});

it('a sandbox that finds no space ends with exit 1 and says so', () => {
  const { directory, run } = place();
  // A program of one file is unpacked before.
  expect(run('shopctl --version').exit).toBe(0);
  const { exit, stderr } = run(`shopctl sandbox start --port 0 --data ${directory}/data`, '8');
  expect({ exit, stderr }).toMatchObject({ exit: 1 });
  expect(stderr).toContain('the data of the sandbox cannot be opened');
  expect(stderr).toMatch(/ulimit -f|free some space/);
  expect(stderr).not.toContain('start over');
});

it.skipIf(!existsSync('/dev/full'))('output that finds no space is a failure of its own, named', () => {
  const { run } = place();
  for (const words of ['commands', 'commands -o json', '--help', 'help exit-codes', '--version']) {
    const line = `shopctl ${words}`;
    const { exit, stderr } = run(`${line} > /dev/full`);
    expect({ line, exit, stderr }).toMatchObject({ exit: 1 });
    expect(stderr).not.toContain('bug in shopctl');
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
  }
});

it.skipIf(!existsSync('/dev/full'))('a notice that finds no space ends nothing, and changes no exit code', () => {
  const { directory, run } = place();
  expect(run('shopctl --version').exit).toBe(0);
  const key = 'SHOPCTL_AS=shop SHOPCTL_API_KEY=2790128029463001495:secret-of-a-test';
  const line = `${key} SHOPCTL_BASE_URL=http://127.0.0.1:1 shopctl account show --debug --max-retries 0`;
  for (const full of ['/dev/full', `${directory}/notices`]) {
    // Of a file, the limit leaves no block; what is printed stands in none.
    const { exit, stderr } = run(`${line} 2> ${full}`, '0');
    expect({ full, exit, stderr }).toMatchObject({ exit: 7 });
  }
  expect(readFileSync(`${directory}/notices`, 'utf8')).toBe('');
});

it('a lock that cannot be written is a file that cannot be written, and leaves nothing', () => {
  const { directory, run } = place();
  const file = join(directory, 'lock.mjs');
  const { outputFiles } = buildSync({
    stdin: {
      contents: `import { nodeFiles } from './src/platform/files/node-files.ts';
        const told = await nodeFiles.lock(process.argv[2], 0).catch(({ kind, message }) => ({ kind, message }));
        process.stdout.write(JSON.stringify(told));`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  });
  writeFileSync(file, outputFiles[0]?.text ?? '');
  const lock = join(directory, 'locks', 'draft.lock');
  const { stdout } = run(`node lock.mjs ${lock}`, '0');
  expect(JSON.parse(stdout)).toMatchObject({ kind: 'file', message: expect.stringContaining(lock) });
  expect(readdirSync(join(directory, 'locks'))).toEqual([]);
});
