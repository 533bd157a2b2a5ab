import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

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

const WAITS_MS = 15_000;
const LOOKS_EVERY_MS = 30;

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
  const shows = (text: string, wanted: string | RegExp) =>
    typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
  return {
    screen,
    unbroken: async () => (await tmux('capture-pane', '-p', '-J')).replace(/ +$/gm, '').trimEnd(),
    cursorIsShown: async () => (await tmux('display-message', '-p', '#{cursor_flag}')).trim() === '1',
    history: async () => (await tmux('capture-pane', '-p', '-S', '-')).trimEnd(),
    type: async (text) => void (await tmux('send-keys', '-l', text)),
    press: async (...keys) => void (await tmux('send-keys', ...keys)),
    async until(wanted) {
      const deadline = Date.now() + WAITS_MS;
      for (;;) {
        const text = await screen();
        if (shows(text, wanted)) return text;
        if (Date.now() > deadline) throw new Error(`the terminal does not show ${wanted}:\n${text}`);
        // Not a guess how long it takes: only how often to look.
        await new Promise((look) => setTimeout(look, LOOKS_EVERY_MS));
      }
    },
  };
}
