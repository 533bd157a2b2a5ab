import { expect, it } from 'vitest';
import { postgresAddress } from '../../src/store/postgres-address.ts';

it.each([
  'postgres://shop:secret@db.example:5432/shop',
  'postgres://shop@db.example:5432/shop?password=secret',
  'postgres://shop@db.example:5432/shop?PASSWORD=secret',
  'postgres://shop@db.example:5432/shop?PgPass=secret&sslmode=verify-full',
  'postgres://shop@db.example:5432/shop?token=secret',
  'postgres://shop@db.example:5432/shop?options=-c%20a=secret',
])('shows no value of %s that may be a secret', (setting) => {
  const { place, connectionString } = postgresAddress(setting);
  expect(place).toContain('db.example:5432/shop');
  expect(place).not.toContain('secret');
  expect(connectionString).toBe(setting);
});

it.each([
  ['postgres://shop:hush%w@db.example:5432/shop', 'has a % in its user or password that encodes nothing'],
  ['postgres://shop:5432/hush@db.example/shop', 'has a character in its user or password that ends them'],
  ['postgres://shop:hush#w@db.example/shop', 'is not a URL'],
  ['mysql://db.example/shop', 'starts with mysql://'],
])('refuses %s as a proxy like it is refused, without its password', (setting, says) => {
  const refused = () => postgresAddress(setting);
  expect(refused).toThrow(`the address of the workspace cannot be used: it ${says}`);
  expect(refused).not.toThrow('hush');
  expect(refused).toThrow(expect.objectContaining({ kind: 'configuration', code: 'address_invalid' }));
});
