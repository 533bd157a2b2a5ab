import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemdUnit, systemdWord, unitName } from '../../src/events/listen/service-unit.ts';

it('quotes what systemd would take for something else, and refuses a line of its own', () => {
  expect(systemdWord('a b')).toBe('"a b"');
  expect(systemdWord('say "%h" $HOME \\')).toBe('"say \\"%%h\\" $$HOME \\\\"');
  expect(() => systemdWord('x\nExecStart=/bin/false')).toThrow(RangeError);
  expect(unitName('../a b')).toBe('shopctl-listen-.._a_b.service');
});

it.skipIf(spawnSync('systemd-analyze', ['--version']).error !== undefined)('is a unit that systemd accepts', () => {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-unit-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, unitName('shop'));
  const words = [process.execPath, '/opt/shop ctl/bin/shopctl.js', 'webhooks', 'listen', '--exec=echo "$HOME" %h'];
  writeFileSync(
    file,
    systemdUnit({ description: 'shopctl 100%', words, environment: { SHOPCTL_CONFIG_DIR: '/tmp/a b%$c' } }),
  );
  const env = { ...process.env, XDG_RUNTIME_DIR: directory };
  execFileSync('systemd-analyze', ['verify', '--user', file], { stdio: 'pipe', env });
});
