import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Complete, type ShellContext, shellContext } from './shell-context.ts';

let context: ShellContext;

beforeAll(async () => {
  context = await shellContext();
});

afterAll(() => context.close());

const inBash: Complete = (line) => context.bash(line);
const inFish: Complete = (line) => context.fish(line);
const inZsh: Complete = (line) => context.zsh(line);

const isInstalled = (program: string) => {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** The tests of a shell. A machine without it says so and goes on; CI installs the shells and may not go on. */
function describeShell(program: string, tests: () => void): void {
  if (isInstalled(program)) describe(`the script for ${program}`, tests);
  else {
    describe(`the script for ${program} (not tested: ${program} is not installed)`, () => {
      it('is tested in CI', () => expect(process.env.CI, `install ${program}`).toBeFalsy());
    });
  }
}

/** What every shell offers, however it shows it. `attached` is what stands before a value that follows an equals sign. */
function behaves(complete: Complete, attached: (flag: string) => string): void {
  it('offers commands, also after flags and their values, and words of the second and third level', async () => {
    expect(await complete('shopctl ord')).toEqual(['orders']);
    expect(await complete('shopctl --json --profile orders orders ca')).toEqual(['cancel']);
    expect(await complete('shopctl groups mem')).toEqual(['members']);
    expect((await complete('shopctl groups members ')).sort()).toEqual(['add', 'list', 'remove']);
  });

  it('offers the flags of the command and the global ones', async () => {
    expect((await complete('shopctl orders list --li')).sort()).toEqual(['--limit']);
    expect(await complete('shopctl orders list --max')).toEqual(['--max-retries']);
    expect((await complete('shopctl orders create --shipping.cod')).sort()).toEqual(['--shipping.cod-amount']);
    expect(await complete('shopctl orders get --shipping.cod')).toEqual([]);
  });

  it('offers the names that a flag takes, also after an equals sign', async () => {
    expect((await complete('shopctl orders list -o json')).sort()).toEqual(['json', 'jsonl']);
    const before = attached('--output');
    expect((await complete('shopctl --output=json')).sort()).toEqual([`${before}json`, `${before}jsonl`]);
    expect((await complete('shopctl orders create --payment-method ')).sort()).toEqual([
      'bank',
      'cod',
      'other',
      'vtpay',
    ]);
    expect((await complete('shopctl orders list --as ')).sort()).toEqual(['partner', 'shop']);
    expect(await complete('shopctl orders list --status canc')).toEqual(['cancelled']);
    expect((await complete('shopctl fulfillments list --status deliver')).sort()).toEqual(['delivered', 'delivering']);
  });

  it('offers topics after help, and commands after help and schema', async () => {
    expect(await complete('shopctl help exit')).toEqual(['exit-codes']);
    expect(await complete('shopctl help orders conf')).toEqual(['confirm']);
    expect(await complete('shopctl schema shipping serv')).toEqual(['services']);
    expect(await complete('shopctl completion po')).toEqual(['powershell']);
  });

  it('offers what only shopctl knows: profiles, shops, ids and fields', async () => {
    expect((await complete('shopctl orders list --profile sand')).sort()).toEqual(['sandbox', 'sandbox-shop']);
    expect(await complete('shopctl --shop 11')).toEqual(['11']);
    expect(await complete('shopctl orders get 123456789012345679')).toEqual(['1234567890123456790']);
    expect(await complete('shopctl addresses create --customer-id 4')).toEqual(['42']);
  });

  it('offers files where a file is wanted', async () => {
    expect((await complete('shopctl quote --input order.')).join()).toContain('order.json');
    expect((await complete('shopctl totals check order.')).join()).toContain('order.json');
  });
}

describeShell('bash', () => {
  behaves(inBash, () => '');

  it('completes the last of several fields', async () => {
    expect(await inBash('shopctl orders list --fields id,shipping.c')).toEqual([
      'id,shipping.cod_amount',
      'id,shipping.carrier',
    ]);
  });

  it('offers files after @, and after -- whatever follows', async () => {
    expect(await inBash('shopctl api x --data @order.')).toEqual(['@order.json']);
    expect(await inBash('shopctl sandbox exec -- order.')).toEqual(['order.json']);
  });

  it('runs nothing that an answer contains', async () => {
    const hostile = join(context.directory, 'hostile');
    await mkdir(hostile, { recursive: true });
    await writeFile(
      join(hostile, 'shopctl'),
      "#!/bin/sh\nprintf '%s\\n' '$(touch pwned)' '`touch pwned`' 'a;touch pwned'\n",
    );
    await chmod(join(hostile, 'shopctl'), 0o755);
    const offered = await context.bash('shopctl --profile ', { PATH: `${hostile}${delimiter}${process.env.PATH}` });
    expect(offered).toHaveLength(3);
    expect(existsSync(join(context.directory, 'work', 'pwned'))).toBe(false);
  });
});

describeShell('fish', () => {
  behaves(inFish, (flag) => `${flag}=`);

  it('completes the last of several fields', async () => {
    expect((await inFish('shopctl orders list --fields id,shipping.c')).sort()).toEqual([
      'id,shipping.carrier',
      'id,shipping.cod_amount',
    ]);
  });
});

describeShell('zsh', () => {
  behaves(inZsh, () => '');

  it('completes the last of several fields', async () => {
    expect((await inZsh('shopctl orders list --fields id,shipping.c')).sort()).toEqual([
      'shipping.carrier',
      'shipping.cod_amount',
    ]);
  });
});
