import { expect, it } from 'vitest';
import { labelOf } from '../../src/console/page/fields.ts';

it.each([
  ['tz', 'Time zone'],
  ['shipping.cod_amount', 'Shipping cod amount'],
  ['filter.order_id', 'Order id'],
  ['quartz', 'Quartz'],
])('calls the field %s as a person would', (path, label) => {
  expect(labelOf(path)).toBe(label);
});
