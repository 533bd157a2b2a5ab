import { expect, it, onTestFinished } from 'vitest';
import { buildProgram } from '../support/built-program.ts';
import { commandsOf, demoSandbox, mask, zone } from '../support/pages.ts';
import { shell } from '../support/shell.ts';
import { masks } from '../support/story.ts';

it('shows of a morning in Vietnamese what the program answers', async () => {
  const program = await buildProgram();
  onTestFinished(() => program.remove());
  onTestFinished(await demoSandbox(program));
  const { run } = shell(program, masks());
  const env = { TZ: zone, SHOPCTL_LANG: 'vi', SHOPCTL_PROFILE: 'sandbox-shop' };
  const sections = ['Xem trước', 'Gửi, mỗi dòng đúng một lần', 'Khi một ô sai', 'Khách đổi ý, khách hỏi'];
  const commands = sections.flatMap((section) => commandsOf(section, 'docs/mot-buoi-sang.md'));
  for (const { line, shown } of commands) {
    const { out } = await run(`( ${line} ) 2>&1`, env);
    expect(`$ ${mask(line)}\n${mask(out)}`).toBe(`$ ${mask(line)}\n${mask(shown)}`);
  }
  expect(commands.length).toBeGreaterThan(6);
});
