import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../bin/shopctl.js', import.meta.url));

/** Longer than any run takes on a busy machine: what hangs is a finding. */
const MOST_MS = 120_000;

/** Starts the program; `child`, and `ended`: its exit code or signal with all that it printed. */
export function start(home, words, { under = [], node = process.execPath, profile = 'sandbox-shop' } = {}) {
  const [name, ...rest] = [...under, node, program, ...words, ...(profile === undefined ? [] : ['--profile', profile])];
  const child = spawn(name, rest, {
    // Apart from the settings, as on any machine: whoever synchronises those does nothing for the ledger.
    env: {
      PATH: process.env.PATH,
      HOME: home,
      SHOPCTL_CONFIG_DIR: home,
      SHOPCTL_STATE_DIR: join(home, 'var', 'state'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ran = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) {
    child[stream].setEncoding('utf8').on('data', (chunk) => {
      ran[stream] += chunk;
    });
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ ...ran, exit: code ?? signal });
    });
  });
  return { child, ran, ended };
}

/** Runs the program to its end. */
export const run = (home, words, options) => start(home, words, options).ended;

/** Runs what has to succeed, and reads its JSON. */
export async function ask(home, words, options) {
  const { exit, stdout, stderr } = await run(home, [...words, '-o', 'json'], options);
  if (exit !== 0) throw new Error(`shopctl ${words.join(' ')}: exit ${exit}: ${stderr}`);
  return JSON.parse(stdout);
}

function filesBelow(directory) {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath ?? entry.path, entry.name)));
}

/** The contents of the files below a directory, by their paths from there. */
export const contentsOf = (directory) =>
  new Map(filesBelow(directory).map((path) => [path, readFileSync(join(directory, path))]));

/**
 * Makes a directory what it was when it was copied. What is there stays the same file, since a workspace knows itself by
 * that: another one would be taken for a backup that was put back.
 */
export function putBack(copy, home) {
  writeFiles(home, contentsOf(copy));
}

/** Makes the files below a directory exactly these; what is there stays the same file. */
export function writeFiles(home, files) {
  for (const path of filesBelow(home)) if (!files.has(path)) rmSync(join(home, path));
  for (const [path, content] of files) {
    mkdirSync(join(home, path, '..'), { recursive: true, mode: 0o700 });
    writeFileSync(join(home, path), content, { mode: 0o600 });
  }
  const directories = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const inUse = (path) => [...files.keys()].some((file) => file.startsWith(`${path}/`));
  for (const entry of directories) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (!inUse(relative(home, path))) rmSync(path, { recursive: true, force: true });
  }
}

/** One call on a connection of its own, so that none is closed under the next. */
function post(url, token, body) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const asked = request(url, { method: 'POST', agent: false, headers }, async (answer) => {
      let text = '';
      for await (const chunk of answer.setEncoding('utf8')) text += chunk;
      if (answer.statusCode === 200) resolve(JSON.parse(text));
      else reject(new Error(`${url}: ${answer.statusCode} ${text}`));
    });
    asked.once('error', reject);
    asked.end(JSON.stringify(body));
  });
}

/** Starts the service: how it is called, how it is controlled, and how it ends. */
export async function startService(directory) {
  const home = join(directory, 'service');
  mkdirSync(home, { mode: 0o700 });
  const words = ['sandbox', 'start', '--ephemeral', '--port', '0', '--no-console', '-o', 'json'];
  const child = spawn(process.execPath, [program, ...words], {
    env: { PATH: process.env.PATH, HOME: home, SHOPCTL_CONFIG_DIR: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [ready] = await Promise.race([
    new Promise((resolve) => child.stdout.setEncoding('utf8').once('data', (text) => resolve([JSON.parse(text)]))),
    new Promise((_, reject) => child.once('close', (code) => reject(new Error(`the sandbox ended with ${code}`)))),
  ]);
  const { api_key } = JSON.parse(readFileSync(join(home, 'config.json'), 'utf8')).profiles['sandbox-shop'];
  const state = join(home, 'state', 'sandboxes');
  const { control_token } = JSON.parse(readFileSync(join(state, readdirSync(state)[0]), 'utf8'));
  return {
    config: join(home, 'config.json'),
    call: (operation, body = {}) => post(`${ready.base_url}/v1/${operation}`, api_key, body),
    control: (path, body = {}) => post(`${ready.control_url}/${path}`, control_token, body),
    end: () =>
      new Promise((resolve) => {
        child.once('close', resolve);
        child.kill();
      }),
  };
}

/** A machine that knows the sandbox's profiles and nothing else. */
export function newMachine(directory, service) {
  const home = mkdtempSync(join(directory, 'home-'));
  copyFileSync(service.config, join(home, 'config.json'));
  return home;
}
