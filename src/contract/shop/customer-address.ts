import { operation } from '../operation.ts';
import { customerAddress, customerAddressChanges, newCustomerAddress } from '../records/customer-address.ts';
import { atPage, byId, filtered, lookup, paged, withDeleted } from '../request-shapes.ts';
import { atLeastOneOf } from '../schema/rules.ts';
import { empty, idsFilter, list, record, text } from '../schema/scalars.ts';

export const CreateAddress = operation({
  id: 'shop.CustomerAddress/CreateAddress',
  command: 'addresses create',
  summary: 'Create an address of a customer',
  examples: [
    'shopctl addresses create --customer-id 1234567890123456789 --full-name "Nguyễn Thị Lan" --phone 0901234567 --province "Hà Nội" --district "Quận Cầu Giấy" --ward "Phường Dịch Vọng" --address1 "12 ngõ 5"',
  ],
  effect: 'create',
  proves: ['customer_id', 'full_name', 'phone', 'address1', 'address2', 'province', 'district', 'ward'],
  credential: 'shop-api-key',
  request: newCustomerAddress,
  response: customerAddress,
});

export const DeleteAddress = operation({
  id: 'shop.CustomerAddress/DeleteAddress',
  command: 'addresses delete',
  summary: 'Delete an address',
  examples: ['shopctl addresses delete 1234567890123456789 --yes'],
  effect: 'delete',
  credential: 'shop-api-key',
  request: byId('address'),
  response: empty,
  positional: 'id',
});

export const GetAddress = operation({
  id: 'shop.CustomerAddress/GetAddress',
  command: 'addresses get',
  summary: 'Show an address',
  examples: ['shopctl addresses get 1234567890123456789'],
  effect: 'read',
  credential: 'shop-api-key',
  request: record(lookup('address')),
  response: customerAddress,
  rules: atLeastOneOf('id', 'code', 'external_id'),
  positional: 'id',
});

export const ListAddresses = operation({
  id: 'shop.CustomerAddress/ListAddresses',
  command: 'addresses list',
  summary: 'List addresses of customers',
  examples: [
    'shopctl addresses list --customer-id 1234567890123456789',
    'shopctl addresses list --phone 0901234567 --json',
  ],
  effect: 'read',
  credential: 'shop-api-key',
  request: record({
    ...filtered({
      customer_id: idsFilter('Ids of the customers'),
      phone: text('Phone number, matched exactly'),
    }),
    ...withDeleted,
    ...paged,
  }),
  response: record({ addresses: list(customerAddress, 'The addresses'), ...atPage }),
  page: { items: 'addresses', cursors: true },
});

export const UpdateAddress = operation({
  id: 'shop.CustomerAddress/UpdateAddress',
  command: 'addresses update',
  summary: 'Update an address',
  description: 'A field that is not given stays as it is; an empty text clears it.',
  examples: [
    'shopctl addresses update 1234567890123456789 --ward "Phường Dịch Vọng Hậu"',
    'shopctl addresses update 1234567890123456789 --coordinates.latitude 21.0362 --coordinates.longitude 105.7905',
  ],
  effect: 'update',
  credential: 'shop-api-key',
  request: customerAddressChanges,
  response: customerAddress,
  positional: 'id',
});
