import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import { settingsIn } from '../../src/platform/settings/node-settings.ts';
import { startServer } from '../../src/sandbox/server.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { openTerminal, type Terminal } from './terminal.ts';

/** shopctl as a command, in a directory for PATH. */
async function installed(directory: string): Promise<string> {
  const program = join(directory, 'shopctl.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('shopctl-process.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['better-sqlite3'],
    banner: {
      js: `import{createRequire as __r}from'node:module';const require=__r(${JSON.stringify(import.meta.url)});`,
    },
    logLevel: 'error',
  });
  // The program finds its database from where it is.
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
  const bin = join(directory, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'shopctl'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(join(bin, 'shopctl'), 0o755);
  return bin;
}

/** A terminal of 80 columns in which a partner has signed in to a sandbox; the orders are asked of the service. */
export async function signedInTerminal(): Promise<{
  readonly terminal: Terminal;
  /** Where it begins. */
  readonly directory: string;
  readonly orders: () => Promise<unknown[]>;
  /** The shop's own key, and where the service is. */
  readonly key: string;
  readonly baseUrl: string;
}> {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-pty-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const service = await openTestSandbox();
  const server = await startServer(service.sandbox, { port: 0 });
  onTestFinished(() => server.close());
  const config = join(directory, 'config');
  mkdirSync(config, { mode: 0o700 });
  const { partner, shop, shopKey, post } = service;
  const shops = { [shop.id]: { name: shop.name, shop_key: shopKey } };
  const account = { kind: 'partner', base_url: server.baseUrl, api_key: partner.apiKey, shops } as const;
  await settingsIn(config).update(() => ({ version: 1, current_profile: 'sandbox', profiles: { sandbox: account } }));
  const terminal = await openTerminal(
    { columns: 80, rows: 30 },
    {
      PATH: `${await installed(directory)}:${dirname(process.execPath)}:/usr/bin:/bin`,
      SHOPCTL_CONFIG_DIR: config,
      HOME: directory,
      TERM: 'tmux-256color',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      PS1: '$ ',
    },
  );
  return {
    terminal,
    directory,
    key: shop.apiKey,
    baseUrl: server.baseUrl,
    orders: async () => (await post('shop.Order/ListOrders', {}, shop.apiKey)).body.orders,
  };
}
