import { expect, it } from 'vitest';
import { ExpressionError, expectationOf } from '../../src/events/listen/expectation.ts';

it('is met by what JMESPath takes for true', async () => {
  const expectation = await expectationOf("entity == 'fulfillment' && latest.tags");
  expect(expectation({ entity: 'fulfillment', latest: { tags: ['late'] } })).toBe(true);
  expect(expectation({ entity: 'fulfillment', latest: { tags: [] } })).toBe(false);
});

it('ends an expression that takes too long for one change', async () => {
  const hundred = JSON.stringify(Array.from({ length: 100 }, (_, n) => n));
  const endless = Array.from({ length: 12 }).reduce<string>((inner) => `map(&${inner}, \`${hundred}\`)[0]`, '@');
  const expectation = await expectationOf(endless);
  expect(() => expectation({ id: '1' })).toThrow(ExpressionError);
});

it('an unknown function is refused before anything is received, wherever it is called', async () => {
  await expect(expectationOf("latest.tags[?starts_wiht(@, 'a')]")).rejects.toThrow(
    'there is no function starts_wiht()',
  );
});

it('one = where two compare is refused, because any change would pass', async () => {
  await expect(expectationOf("entity = 'order'")).rejects.toThrow('one = after entity compares nothing: write ==');
});

it('a function that is given a value of another type does not match, and says nothing', async () => {
  const expectation = await expectationOf("starts_with(latest.code, 'no_function')");
  expect(expectation({ latest: { code: 7 } })).toBe(false);
  expect(expectation({ latest: { code: 'no_function_7' } })).toBe(true);
});

it('tells which paths no value had', async () => {
  const expectation = await expectationOf(
    "latest.shipping_state == 'delivered' && change.latest.order.code != 'x' && contains(change.tags, entity)",
  );
  for (const entity of ['order', 'customer']) expectation({ entity, change: { latest: { [entity]: { code: 'A' } } } });
  expect(expectation.absent()).toEqual(['latest.shipping_state', 'change.tags']);
  // Whatever a filter asks of its own entries is no path of the whole.
  expect((await expectationOf('change.lines[?missing].code')).absent()).toEqual([]);
});
