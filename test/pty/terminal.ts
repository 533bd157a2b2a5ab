import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';

const call = promisify(execFile);

/** Whether there is a tmux on this machine to make pseudo-terminals with. */
export function hasTmux(): boolean {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A shell on a real pseudo-terminal, which a test types into and looks at. */
export interface Terminal {
  type(text: string): Promise<void>;
  /** Presses a key by tmux's name of it: `Enter`, `Down`, `BSpace`, `C-c`. */
  press(...keys: readonly string[]): Promise<void>;
  /** The screen as it is. */
  screen(): Promise<string>;
  /** The screen, with lines that the terminal broke as one: for text to copy. */
  unbroken(): Promise<string>;
  /** Whether the cursor is there to be seen. */
  cursorIsShown(): Promise<boolean>;
  /** Everything since the beginning, what was scrolled away too. */
  history(): Promise<string>;
  /** The screen once it shows this; fails with what it shows instead. */
  until(wanted: string | RegExp): Promise<string>;
}

/** A terminal of a size, under a tmux server of its own that ends with the test. */
export async function openTerminal(
  { columns, rows }: { readonly columns: number; readonly rows: number },
  env: Readonly<Record<string, string>>,
): Promise<Terminal> {
  const socket = `shopctl-test-${randomBytes(6).toString('hex')}`;
  const tmux = async (...words: readonly string[]) => (await call('tmux', ['-u', '-L', socket, ...words])).stdout;
  onTestFinished(async () => void (await tmux('kill-server').catch(() => '')));
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const size = ['-x', String(columns), '-y', String(rows)];
  await tmux('-f', '/dev/null', 'new-session', '-d', ...size, 'env', '-i', ...variables, 'sh');
  const screen = async () => (await tmux('capture-pane', '-p')).trimEnd();
  return {
    screen,
    unbroken: async () => (await tmux('capture-pane', '-p', '-J')).replace(/ +$/gm, '').trimEnd(),
    cursorIsShown: async () => (await tmux('display-message', '-p', '#{cursor_flag}')).trim() === '1',
    history: async () => (await tmux('capture-pane', '-p', '-S', '-')).trimEnd(),
    type: async (text) => void (await tmux('send-keys', '-l', text)),
    press: async (...keys) => void (await tmux('send-keys', ...keys)),
    async until(wanted) {
      let text = '';
      const look = async () => {
        text = await screen();
        return text;
      };
      const shown = typeof wanted === 'string' ? expect.stringContaining(wanted) : expect.stringMatching(wanted);
      await expect.poll(look).toEqual(shown);
      return text;
    },
  };
}
