import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { batchName, commandsOf, demoSandbox, mask, zone } from '../support/pages.ts';
import { shell } from '../support/shell.ts';
import { masks } from '../support/story.ts';

let program: BuiltProgram;
let end = async () => {};
beforeAll(async () => {
  program = await buildProgram();
  end = await demoSandbox(program);
});
afterAll(async () => {
  await end();
  program?.remove();
});

/** Signs a demo shop in, as its owner does on the page that `auth login` opens. */
async function signIn(run: ReturnType<typeof shell>['run'], number = 0): Promise<void> {
  const reported = async (line: string) => JSON.parse((await run(line)).out);
  const { sign_in_url: address } = await reported('shopctl auth login --no-input --json');
  const { shops } = await reported('shopctl sandbox credentials --json');
  await run(`shopctl sandbox sign-in '${address}' --shop ${shops[number].id}`);
  expect(await reported(`shopctl auth login --shop-id ${shops[number].id} --json`)).toMatchObject({
    status: 'signed_in',
  });
}

it('shows of the first five minutes what the program answers', async () => {
  const { run } = shell(program, masks());
  let order = '';
  let compared = 0;
  for (const { line, shown } of commandsOf('Five minutes')) {
    // The sandbox is already running, on a port of its own.
    if (line === 'shopctl sandbox start') continue;
    if (line === 'shopctl auth login') {
      await signIn(run);
      continue;
    }
    const { out } = await run(`( ${line.replace(/\b[1-9]\d{18}\b/g, order)} ) 2>&1`, { TZ: zone });
    order = /^[1-9]\d{18}$/m.exec(out)?.[0] ?? order;
    // What becomes of the parcel is told, and not shown.
    if (shown !== '') expect(`$ ${mask(line)}\n${mask(out)}`).toBe(`$ ${mask(line)}\n${mask(shown)}`);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(5);
});

it('shows of a spreadsheet what the program answers', async () => {
  const { run } = shell(program, masks());
  const env: Record<string, string> = { TZ: zone };
  // Each batch of the page, and what it is called now.
  const batches = new Map<string, string>();
  let compared = 0;
  const shownInReadme = ['Ship a spreadsheet', 'Your own sheet', 'When something fails'].flatMap((section) =>
    commandsOf(section),
  );
  const shownInGuide = ['Fix what failed', 'A workbook of your own', 'Several shops'].flatMap((section) => {
    const commands = commandsOf(section, 'docs/batches.md');
    expect(commands.length).toBeGreaterThan(2);
    return commands;
  });
  for (const { line, shown } of [...shownInReadme, ...shownInGuide]) {
    const [, name, value] = /^export (\w+)=(\S+)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) {
      env[name] = value;
      continue;
    }
    // Both streams, in the order in which a terminal shows them.
    if (line === 'shopctl auth login') {
      await signIn(run, 1);
      continue;
    }
    const { out } = await run(`( ${line.replace(batchName, (name) => batches.get(name) ?? name)} ) 2>&1`, env);
    const [[, reported] = [], [, made] = []] = [shown, out].map((text) => /^batch (\S+)$/m.exec(text) ?? []);
    if (reported !== undefined && made !== undefined) batches.set(reported, made);
    expect(`$ ${mask(line)}\n${mask(out)}`).toBe(`$ ${mask(line)}\n${mask(shown)}`);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(6);
});
