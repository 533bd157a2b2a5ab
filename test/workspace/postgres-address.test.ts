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
