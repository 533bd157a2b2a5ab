import { type StdioOptions, spawn } from 'node:child_process';
import { mkdtemp, open, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isRunning, makePrivateDirectory } from '../files/files.ts';
import { environmentWithoutKeys } from '../settings/secret.ts';
import { say } from '../terminal/texts.ts';
import { type ChildEnd, ChildError, type Children, type Detached, passLines } from './children.ts';

/** The error of a program that cannot be started. */
function unstarted(program: string, { code = 'unknown' }: NodeJS.ErrnoException): ChildError {
  const { none, unrun } = say().program;
  return new ChildError(code === 'ENOENT' ? none({ program }) : unrun({ program, code }));
}

/**
 * Ends a process with its descendants and removes a directory, once standard input ends without the word `done`; each
 * line `child N` names the process. Where a kill came before that line, it is whoever has the directory in its environment,
 * as Linux tells.
 */
const script = `
end() {
  for inner in $(pgrep -P "$1" 2>/dev/null); do end "$inner"; done
  kill -TERM "$1" 2>/dev/null
}
child=
while read -r word value; do
  case $word in
    child) child=$value ;;
    done) exit 0 ;;
  esac
done
[ -n "$child" ] || child=$(grep -lsF "=$1" /proc/[0-9]*/environ 2>/dev/null | cut -d / -f 3)
for each in $child; do end "$each"; done
rm -rf -- "$1"
sleep 1
rm -rf -- "$1"
`;

/** What happens when this process is killed. */
export interface LastWill {
  /** Names the process to end. */
  child(pid: number): void;
  /** Nothing happens any more: everything was cleaned up. */
  revoke(): void;
}

/**
 * Has a shell wait for the end of this process, however it comes, to end the program that it ran and to remove a
 * directory. Where there is no such shell, nothing happens.
 */
export function lastWill(directory: string): LastWill {
  // A session of its own: what a terminal sends to us does not end it.
  const shell = spawn('/bin/sh', ['-c', script, 'shopctl', directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: environmentWithoutKeys(process.env),
  });
  const { stdin } = shell;
  shell.on('error', () => {});
  stdin.on('error', () => {});
  shell.unref();
  return {
    child: (pid) => void stdin.write(`child ${pid}\n`),
    revoke: () => void stdin.end('done\n'),
  };
}

/** Signals that a child gets as they came. */
const passed = ['SIGINT', 'SIGHUP'] as const;

/** Child processes of Node, without a shell: arguments are passed verbatim. */
export const nodeChildren: Children = {
  get ownProgram() {
    const { execPath, argv } = process;
    // The one file without Node is both (src/one-file.ts).
    return argv[1] === execPath ? [execPath] : [execPath, argv[1] ?? ''];
  },

  async run([program = '', ...words], env, signal, { says = 'stdout', started = () => {} } = {}) {
    const [{ spawn }, { environmentWithoutKeys }] = await Promise.all([
      import('node:child_process'),
      import('../settings/secret.ts'),
    ]);
    const stdio: StdioOptions =
      typeof says === 'function'
        ? ['inherit', 'pipe', 'pipe']
        : ['inherit', says === 'stdout' ? 'inherit' : 2, 'inherit'];
    return new Promise((resolve, reject) => {
      const child = spawn(program, words, { stdio, env: environmentWithoutKeys(env) });
      if (typeof says === 'function') passLines(child, says);
      if (child.pid !== undefined) started(child.pid);
      // A terminal sends Ctrl-C to the child as well; a signal sent only to us has to be passed on.
      const pass = () => child.kill(passed.find((name) => name === signal.reason) ?? 'SIGTERM');
      signal.addEventListener('abort', pass, { once: true });
      child.once('error', (error: NodeJS.ErrnoException) => {
        signal.removeEventListener('abort', pass);
        reject(unstarted(program, error));
      });
      // What is printed through us has been read when the streams are closed.
      child.once(typeof says === 'function' ? 'close' : 'exit', (code, ended) => {
        signal.removeEventListener('abort', pass);
        resolve({ code: code ?? undefined, signal: ended ?? undefined });
      });
    });
  },

  async detach([program = '', ...words], env, { stdin, errorsTo, signal }) {
    const { spawn } = await import('node:child_process');
    makePrivateDirectory(dirname(errorsTo));
    // Its own until it is ready: another one that is started for the same name writes nothing into it.
    const own = `${errorsTo}.${process.pid}`;
    await rm(own, { force: true });
    const errors = await open(own, 'wx', 0o600);
    try {
      const begun = await new Promise<Detached | ChildEnd>((resolve, reject) => {
        const child = spawn(program, words, { detached: true, stdio: ['pipe', 'pipe', errors.fd], env });
        const { stdin: given, stdout } = child;
        if (given === null || stdout === null) throw new TypeError('a pipe was asked for');
        const end = () => child.kill('SIGTERM');
        signal.addEventListener('abort', end, { once: true });
        let said = '';
        child.once('error', (error: NodeJS.ErrnoException) => reject(unstarted(program, error)));
        child.once('close', (code, ended) => resolve({ code: code ?? undefined, signal: ended ?? undefined }));
        stdout.setEncoding('utf8').on('data', (text: string) => {
          said += text;
          const [line = '', rest] = said.split('\n', 2);
          if (rest === undefined) return;
          signal.removeEventListener('abort', end);
          stdout.destroy();
          child.unref();
          resolve({ pid: child.pid ?? 0, line });
        });
        // A child that exits without reading its input reports the reason itself.
        given.on('error', () => {});
        given.end(stdin);
      });
      if (!('line' in begun)) return { ...begun, said: await readFile(own, 'utf8') };
      await rename(own, errorsTo);
      return begun;
    } finally {
      await errors.close();
      await rm(own, { force: true });
    }
  },

  isRunning,

  async temporaryDirectory() {
    // mkdtemp creates it with mode 0700.
    const path = await mkdtemp(join(tmpdir(), 'shopctl-'));
    return { path, remove: () => rm(path, { recursive: true, force: true }) };
  },

  async directoryOfProgram() {
    const { path, remove } = await nodeChildren.temporaryDirectory();
    const will = lastWill(path);
    return {
      path,
      isUsedBy: will.child,
      async remove() {
        await remove();
        will.revoke();
      },
    };
  },
};
