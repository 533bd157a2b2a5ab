import { expect, it } from 'vitest';
import { listRecords } from '../../src/client/pages.ts';
import { readLeniently } from '../../src/contract/schema/parse.ts';
import { ListCustomers } from '../../src/contract/shop/customer.ts';
import { testMachine } from '../support/context.ts';
import { testConnection } from '../support/test-connection.ts';

const env = { SHOPCTL_BASE_URL: 'http://127.0.0.1:4010', SHOPCTL_AS: 'shop', SHOPCTL_API_KEY: 'shop:1234567890abcdef' };
const answer = (value: unknown) => ({ status: 200, headers: {}, body: JSON.stringify(value) });

/** A service whose list has one record a page and ever new cursors. */
function everNew() {
  let pages = 0;
  return {
    pages: () => pages,
    transport: async () => {
      pages += 1;
      return answer({ customers: [{ id: String(pages) }], paging: { next: `cursor-${pages}` } });
    },
  };
}

it('goes through ten thousand pages of ever new cursors and one more, and says that they did not end and where to go on', async () => {
  const service = everNew();
  const { exit, stdout, stderr } = await testMachine(service.transport).run(
    ['customers', 'list', '--all', '-o', 'name'],
    {
      env,
    },
  );
  expect(exit).toBe(13);
  expect(service.pages()).toBe(10_001);
  expect(stdout.trimEnd().split('\n')).toHaveLength(10_001);
  expect(stderr).toContain('the list did not end after 10001 pages; it goes on after cursor-10001');
});

it('reads a list that ends with its ten thousandth page: the next one says so', async () => {
  let pages = 0;
  const transport = async () => {
    pages += 1;
    const customers = pages > 10_000 ? [] : [{ id: String(pages) }];
    return answer({ customers, paging: { next: `cursor-${pages}` } });
  };
  const words = ['customers', 'list', '--all', '-o', 'name'];
  const { exit, stdout } = await testMachine(transport).run(words, { env });
  expect([exit, stdout.trimEnd().split('\n').length, pages]).toEqual([0, 10_000, 10_001]);
});

it('does the same with smaller pages, as far as a million records', async () => {
  const service = everNew();
  const connection = testConnection(service.transport);
  const read = async () => {
    for await (const record of listRecords(ListCustomers, {}, connection, { pageSize: 90 }))
      expect(record).toBeDefined();
  };
  await expect(read()).rejects.toMatchObject({ kind: 'contract', path: 'paging' });
  expect(service.pages()).toBe(11_113);
});

it('refuses a cursor that nobody could send back', async () => {
  const machine = testMachine(async () => answer({ customers: [{ id: '1' }], paging: { next: 'x'.repeat(5_000) } }));
  const { exit, stderr } = await machine.run(['customers', 'list', '--all', '-o', 'json'], { env });
  expect(exit).toBe(13);
  expect(stderr).toContain('a cursor of the list has more than 4096 characters');
  expect(stderr.length).toBeLessThan(1_000);
});

it('reads a page to its first hundred faults, not to the last of hundreds of thousands', async () => {
  const customers = Array.from({ length: 400_000 }, () => ({ id: [] }));
  const read = readLeniently(ListCustomers.response, { customers });
  expect(read.ok ? [] : read.errors).toHaveLength(100);
  const machine = testMachine(async () => answer({ customers: customers.slice(0, 160_000) }));
  const { exit, stderr } = await machine.run(['customers', 'list', '-o', 'json'], { env });
  expect(exit).toBe(13);
  expect(stderr.length).toBeLessThan(2_000);
});
