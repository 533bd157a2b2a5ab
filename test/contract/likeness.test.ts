import { describe, expect, it } from 'vitest';
import { wholeSchemaObject } from '../../src/contract/openapi-schema.ts';
import { newCustomer } from '../../src/contract/records/customer.ts';
import { shippedOrderRequest } from '../../src/contract/records/order.ts';
import { newShipnowFulfillment } from '../../src/contract/records/shipnow.ts';
import { jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { lookAt } from '../../src/contract/schema/likeness.ts';
import { locationTree } from '../../src/domain/places/place-data.ts';

const looker = { today: '2026-11-21', places: async () => locationTree };
const place = { province: 'Hà Nội', district: 'Cầu Giấy', ward: 'Dịch Vọng' };

describe('what was typed', () => {
  it('is refused where it can be none, by the path of its field', async () => {
    const customer = { full_name: 'x', phone: 'none', email: 'lan@', birthday: '31/02/1990', note: 'lan@' };
    const { errors, notes } = await lookAt(jsonSchema(newCustomer), customer, looker);
    expect(errors.map(({ path }) => path)).toEqual(['phone', 'email']);
    expect(notes).toEqual([{ path: 'birthday', message: 'is a day that does not exist', code: 'no_such_day' }]);
  });

  it('is told where it is unusual, with what was probably meant', async () => {
    const customer = { full_name: 'Lan', phone: '901234567', email: 'lan@gmail.con', birthday: 'in May' };
    const { errors, notes } = await lookAt(jsonSchema(newCustomer), customer, looker);
    expect(errors).toEqual([]);
    expect(notes).toEqual([
      { path: 'phone', message: 'seems to have lost its leading 0; was 0901234567 meant?', code: 'phone_without_zero' },
      { path: 'email', message: 'is at gmail.con; was lan@gmail.com meant?', code: 'unusual_email' },
      { path: 'birthday', message: 'is not a date like 1990-05-17 or 17/05/1990', code: 'no_date' },
    ]);
  });

  it('is looked at wherever it stands, places by their levels together', async () => {
    const order = {
      customer_address: { phone: '0901234567', ...place },
      shipping_address: { phone: '12', ...place, district: 'Cau Giayy' },
      shipping: { pickup_address: { ...place, province: 'Hà Nôii' } },
    };
    const { errors, notes } = await lookAt(jsonSchema(shippedOrderRequest), order, looker);
    expect(errors.map(({ path }) => path)).toEqual(['shipping_address.phone']);
    expect(notes).toEqual([
      {
        path: 'shipping_address.district',
        message: '"Cau Giayy" is not in our list of places; did you mean Quận Cầu Giấy?',
        code: 'unknown_place',
      },
      {
        path: 'shipping.pickup_address.province',
        message: expect.stringContaining('did you mean Thành phố Hà Nội'),
        code: 'unknown_place',
      },
    ]);
    const stop = { shipping_address: { ...place, ward: 'Dich Vongg', phone: '+84901234567' } };
    const delivery = { pickup_address: {}, delivery_points: [{ shipping_address: place }, stop] };
    const seen = await lookAt(jsonSchema(newShipnowFulfillment), delivery, looker);
    expect(seen.notes.map(({ path }) => path)).toEqual(['delivery_points[1].shipping_address.ward']);
  });

  it('tells of a place that can be two, with both', async () => {
    const address = { province: 'Đồng Tháp', district: 'Cao Lãnh' };
    const { notes } = await lookAt(jsonSchema(shippedOrderRequest), { shipping_address: address }, looker);
    expect(notes).toEqual([
      {
        path: 'shipping_address.district',
        message: '"Cao Lãnh" names more than one place; did you mean Thành phố Cao Lãnh or Huyện Cao Lãnh?',
        code: 'ambiguous_place',
      },
    ]);
  });

  it('is refused where its ward is a number that the district does not have, and told where a name lies in another', async () => {
    const seenOf = (ward: string, district: string) => {
      const order = { shipping_address: { province: 'HCM', district, ward } };
      return lookAt(jsonSchema(shippedOrderRequest), order, looker);
    };
    const path = 'shipping_address.ward';
    const number = 'Quận 1 has no Phường 21, which is one of Quận Bình Thạnh: write the right one of both';
    expect(await seenOf('21', 'Quận 1')).toEqual({ errors: [{ path, message: number }], notes: [] });
    const name = 'Phường Bến Nghé lies in Quận 1, not in Quận 3: it goes to Quận 1';
    expect(await seenOf('Bến Nghé', 'Quận 3')).toEqual({
      errors: [],
      notes: [{ path, message: name, code: 'moved_place' }],
    });
    expect(await seenOf('21', 'Bình Thạnh')).toEqual({ errors: [], notes: [] });
  });

  it('is left alone where nothing is said, or the values are of another kind', async () => {
    const asked: string[] = [];
    const places = async () => {
      asked.push('places');
      return locationTree;
    };
    for (const given of [{}, { phone: '', email: null }, { phone: 5 }, { phone: ['x'] }, null, 'x', { phone: ' ' }]) {
      const seen = await lookAt(jsonSchema(newCustomer), given, { ...looker, places });
      expect(seen).toEqual({ errors: [], notes: [] });
    }
    expect(asked).toEqual([]);
  });
});

it('is not part of what is told of the interface to others', () => {
  expect(JSON.stringify(wholeSchemaObject(jsonSchema(newCustomer)))).not.toContain('likeness');
});
