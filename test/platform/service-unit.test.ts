import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { serviceUnit, systemdWord, timerUnit, unitName } from '../../src/platform/process/service-unit.ts';

it('quotes what systemd would take for something else, and refuses a line of its own', () => {
  expect(systemdWord('a b')).toBe('"a b"');
  expect(systemdWord('say "%h" $HOME \\')).toBe('"say \\"%%h\\" $$HOME \\\\"');
  expect(() => systemdWord('x\nExecStart=/bin/false')).toThrow(RangeError);
  expect(unitName('listen', '../a b', 'service')).toBe('shopctl-listen-.._a_b.service');
});

it.skipIf(spawnSync('systemd-analyze', ['--version']).error !== undefined)('are units that systemd accepts', () => {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-unit-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const words = [process.execPath, '/opt/shop ctl/bin/shopctl.js', 'webhooks', 'listen', '--exec=echo "$HOME" %h'];
  const unit = { description: 'shopctl 100%', words, environment: { SHOPCTL_CONFIG_DIR: '/tmp/a b%$c' } };
  const files = {
    [unitName('listen', 'shop', 'service')]: serviceUnit({ ...unit, runs: 'always' }),
    [unitName('mirror', 'shop', 'service')]: serviceUnit({ ...unit, runs: 'when-started' }),
    [unitName('mirror', 'shop', 'timer')]: timerUnit('shopctl 100%', 90_000),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  const env = { ...process.env, XDG_RUNTIME_DIR: directory };
  const paths = Object.keys(files).map((name) => join(directory, name));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--user', ...paths], { encoding: 'utf8', env });
  // What it only warns of, it would ignore.
  expect([status, stderr.split('\n').filter((line) => line.includes('shopctl-'))]).toEqual([0, []]);
  const pause = execFileSync('systemd-analyze', ['timespan', '90000ms'], { encoding: 'utf8' });
  expect(pause).toContain('1min 30s');
});
