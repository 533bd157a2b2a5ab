import { spawn } from 'node:child_process';
import { environmentWithoutKeys } from '../settings/secret.ts';

/**
 * Ends a process with its descendants and removes a directory, once standard input ends without the word `done`; each
 * line `child N` names the process.
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
[ -n "$child" ] && end "$child"
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
