import { describe, expect, it } from 'vitest';
import { groups } from '../../src/cli/tree/groups.ts';
import { vietnamese } from '../../src/cli/vietnamese.ts';
import { pageTexts } from '../../src/console/page/texts.ts';
import { pageVietnamese } from '../../src/console/page/texts.vi.ts';
import { formOf, reads } from '../../src/console/run/closed-set.ts';
import { consoleTexts } from '../../src/console/texts.ts';
import { LANGUAGE } from '../../src/console/wire.ts';
import * as enums from '../../src/contract/enums.ts';
import { labelTexts } from '../../src/contract/labels.ts';
import type { JsonSchema } from '../../src/contract/schema/json-schema.ts';
import { structureOf } from '../../src/contract/schema/structure.ts';
import { fieldsIn } from '../../src/domain/json/values.ts';
import { shopWorld } from '../support/shop-world.ts';
import { openedConsole } from './opened-console.ts';

/** Sentences that are the same in both languages: formulas of fields. */
const isFormula = (sentence: string) => /^[a-z_]+(?: [-+] [a-z_]+)+$/.test(sentence);

/** Labels that are the same in both languages. */
const alike: ReadonlySet<string> = new Set(['email', 'file', 'id', 'sandbox', 'country_code']);

/** The fields of a form, those within records among them. */
function fieldsOf({ properties, items }: JsonSchema): readonly (readonly [name: string, field: JsonSchema])[] {
  const own = Object.entries(properties ?? {});
  return [...own, ...own.flatMap(([, field]) => fieldsOf(field)), ...(items === undefined ? [] : fieldsOf(items))];
}

it('has every action, every field and every explanation of its pages in Vietnamese', async () => {
  const { label } = vietnamese.textsOf('console', consoleTexts);
  const { sentence } = vietnamese.textsOf('label', labelTexts);
  const loaded = await Promise.all(groups.map((group) => group.load()));
  const actions = loaded
    .flatMap(({ commands }) => commands.flatMap((command) => command.actions))
    .filter(({ page }) => page !== undefined);
  const fields = actions.flatMap((action) => fieldsOf(formOf(action).schema));
  const told = [
    ...actions.flatMap(({ summary, description }) => [summary, description]),
    ...fields.map(([, { description }]) => description),
  ].filter((text) => text !== undefined && text !== '');
  const untold = told.filter((text) => text !== undefined && sentence(text) === text && !isFormula(text));
  expect([...new Set(untold)]).toEqual([]);
  const unnamed = fields.map(([name]) => name).filter((name) => label(name) === undefined && !alike.has(name));
  expect([...new Set(unnamed)]).toEqual([]);
  expect(told.length).toBeGreaterThan(1000);
});

/** Choices that are the same in both languages: names of layouts, and of a way to pay; what is a unit or one order. */
const names: ReadonlySet<string> = new Set(['ghtk', 'ghn', 'vtp', 'vtpay', 'one', 'unknown', '']);
const units: ReadonlySet<string> = new Set(['currency units', 'ms', 's', 'g', 'kg', 'cm', '₫']);

it('has every choice, every list and every part of a record in Vietnamese', async () => {
  const loaded = await Promise.all(groups.map((group) => group.load()));
  const actions = loaded
    .flatMap(({ commands }) => commands.flatMap((command) => command.actions))
    .filter(({ page }) => page !== undefined);
  const fields = actions.flatMap((action) => fieldsOf(formOf(action).schema));
  const choices = fields.flatMap(([, { enum: own, items }]) => own ?? items?.enum ?? []);
  const measured = fields.flatMap(([, { unit = '' }]) => unit).filter((unit) => !units.has(unit));
  const lists = actions
    .filter((action) => reads(action) && structureOf(action.output).kind === 'list')
    .flatMap(({ words: [, ...rest] }) => rest.join(' '))
    .filter((words) => !['services', 'find', 'rows', 'show'].includes(words));
  const untold = [...choices, ...lists, ...measured].filter(
    (value) => pageVietnamese.choice(value) === value && !names.has(value),
  );
  expect([...new Set(untold)]).toEqual([]);
  expect(pageTexts.choice('late')).toBe('late');
  const views = actions.map(({ view }) => (typeof view === 'function' ? view({}) : view));
  const parts = views.flatMap((view) => view?.layout?.parts.map(({ title }) => title) ?? []);
  const { heading } = vietnamese.textsOf('label', labelTexts);
  expect([...new Set(parts.filter((title) => heading(title) === title && title !== 'File'))]).toEqual([]);
  expect([choices.length, parts.length].every((count) => count > 10)).toBe(true);
});

it('has every value of a record that is one of a few in Vietnamese', () => {
  const { state, status, inspection } = vietnamese.textsOf('label', labelTexts);
  const values = Object.values(enums).flatMap((one) => (Array.isArray(one) ? one : []));
  const told = (value: string) => state(value) !== value || value in status || value in inspection;
  // What nobody has said is no value, and a name is one in every language.
  const untold = values.filter((value) => !told(value) && !['', 'shop', 'vtpay'].includes(value));
  expect([values.length > 50, [...new Set(untold)]]).toEqual([true, []]);
});

describe('a console', () => {
  const opened = async (settings: Readonly<Record<string, string>>) => {
    const machine = await shopWorld();
    await machine.save({ ...(await machine.settings()), ...(settings.lang === undefined ? {} : { settings }) });
    const { ask, cookie } = await openedConsole(machine);
    const languageOf = async (preferred: string, switched?: string) => {
      const choice = switched === undefined ? '' : `; ${LANGUAGE}=${switched}`;
      const headers = { 'accept-language': preferred, cookie: `${cookie}${choice}` };
      const { body } = await ask('/orders', { headers });
      const { screens } = JSON.parse((await ask('/api/actions', { headers })).body);
      return [/<html lang="(\w+)">/.exec(body)?.[1], screens[0].title];
    };
    return { ask, languageOf };
  };
  const english = ['en', 'Today'];
  const vietnameseOnes = ['vi', 'Hôm nay'];

  it('speaks as its page was switched, else as it is set, else as the browser prefers', async () => {
    const free = await opened({});
    expect(await free.languageOf('vi-VN,vi;q=0.9,en;q=0.8')).toEqual(vietnameseOnes);
    expect(await free.languageOf('en-US,vi;q=0.5')).toEqual(english);
    expect(await free.languageOf('fr')).toEqual(english);
    expect(await free.languageOf('vi', 'en')).toEqual(english);
    expect(await free.languageOf('vi', 'fr')).toEqual(vietnameseOnes);
    const set = await opened({ lang: 'vi' });
    expect(await set.languageOf('en')).toEqual(vietnameseOnes);
    expect(await set.languageOf('vi', 'en')).toEqual(english);
  });

  it('says in it what went wrong, with the words of the service in quotes, and what it refuses by itself', async () => {
    const machine = await shopWorld();
    await machine.save({ ...(await machine.settings()), settings: { lang: 'vi' } });
    const { ask, run } = await openedConsole(machine);
    const { error } = await run('partner.Shipping/GetOrder', { input: { id: '99' } });
    expect(fieldsIn(error).message).toMatch(/^hệ thống không tìm thấy: "[^"]+"$/);
    const lacking = fieldsIn(
      (await run('shop.Customer/CreateCustomer', { input: { full_name: 'Lan', phone: 'x' } })).error,
    );
    expect(JSON.stringify(lacking)).toContain('không phải số điện thoại');
    expect((await ask('/api/nothing')).body).toBe('Không có gì ở địa chỉ này.\n');
    const states = await run('partner.Shipping/GetOrder', { input: {} });
    expect(JSON.stringify(states)).not.toMatch(/\b(?:is|must|the|give)\b/);
  });

  it('names the amounts of a dry run, its fields and the columns to choose from in it', async () => {
    const machine = await shopWorld();
    await machine.save({ ...(await machine.settings()), settings: { lang: 'vi' } });
    const { run, ask } = await openedConsole(machine, ['--profile', 'shop']);
    const variant = { name: 'Trà', retail_price: 25_000, product_id: '1' };
    const looked = await run('shop.Variant/CreateVariant', { input: variant, look: true });
    expect(looked.amounts).toMatchObject([{ name: 'giá trước giảm', cell: { text: '25.000' } }]);
    const lines = [{ product_name: 'Trà', quantity: 1, retail_price: 25_000, payment_price: 25_000 }];
    const order = {
      lines,
      total_items: 1,
      basket_value: 25_000,
      customer_address: { full_name: 'Lan', phone: '0901234567' },
    };
    const shipped = await run('shop.Order/CreateOrder', { input: { ...order, total_amount: 25_000 }, look: true });
    expect(shipped).toMatchObject({
      amounts: expect.arrayContaining([expect.objectContaining({ name: 'dòng 1 · giá trước giảm' })]),
    });
    const bytes = Buffer.from('full_name,phone\nLan,0901234567\n').toString('base64');
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'customers.csv', bytes });
    const { id } = JSON.parse((await ask('/api/upload', { method: 'POST', headers, body })).body);
    const input = { do: 'customers create' };
    const batch = await run('batch.run', { input, files: { file: [id] }, look: true });
    expect(JSON.stringify(batch)).toContain('"đã lên bảng"');
    expect(JSON.stringify(batch)).toContain('"dòng 2"');
    // Its rows have neither what is blank in all of them nor their requests, and no record is shown as JSON.
    expect(JSON.stringify(batch.fields)).not.toMatch(/"path":"(?:payload|changes)"|\{\\n/);
    await run('shop.Customer/CreateCustomer', { input: { full_name: 'Lan', phone: '0901234567' } });
    const { fields, table } = await run('shop.Customer/ListCustomers', { input: {} });
    // Its status is a word: the letter of the service in front of it would read as a name.
    expect(JSON.stringify(table)).toContain('{"text":"đang dùng"}');
    const { heading } = vietnamese.textsOf('label', labelTexts);
    expect(fields).toContainEqual({ path: 'full_name', header: heading('full_name') });
  });

  it('is switched by an address, which it leads back to', async () => {
    const { ask } = await opened({});
    const { status, headers } = await ask(`/orders?match=lan&${LANGUAGE}=vi`);
    expect([status, headers.location]).toEqual([303, '/orders?match=lan']);
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(`^${LANGUAGE}=vi; Path=/; HttpOnly; SameSite=Strict;`),
    ]);
    expect((await ask(`/orders?${LANGUAGE}=fr`)).status).toBe(200);
  });
});
