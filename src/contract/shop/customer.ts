import { operation } from '../operation.ts';
import { customer, customerChanges, newCustomer } from '../records/customer.ts';
import { atPage, filtered, lookup, paged, withDeleted } from '../request-shapes.ts';
import { atLeastOneOf, notBlank } from '../schema/rules.ts';
import { empty, idsFilter, list, record } from '../schema/scalars.ts';

export const CreateCustomer = operation({
  id: 'shop.Customer/CreateCustomer',
  command: 'customers create',
  summary: 'Create a customer',
  examples: [
    'shopctl customers create --full-name "Nguyễn Thị Lan" --phone 0901234567 --external-id CRM-42',
    'shopctl customers create --skeleton > customer.yaml',
  ],
  effect: 'create',
  proves: ['full_name', 'phone'],
  credential: 'shop-api-key',
  request: newCustomer,
  response: customer,
  rules: notBlank('full_name', 'phone'),
});

export const DeleteCustomer = operation({
  id: 'shop.Customer/DeleteCustomer',
  command: 'customers delete',
  summary: 'Delete a customer',
  examples: ['shopctl customers delete 1234567890123456789', 'shopctl customers delete --external-id CRM-42 --yes'],
  effect: 'delete',
  credential: 'shop-api-key',
  request: record(lookup('customer')),
  response: empty,
  rules: atLeastOneOf('id', 'code', 'external_id'),
  positional: 'id',
  holds: [{ as: 'addresses', list: { operation: 'shop.CustomerAddress/ListAddresses', by: 'customer_id' } }],
});

export const GetCustomer = operation({
  id: 'shop.Customer/GetCustomer',
  command: 'customers get',
  summary: 'Show a customer',
  examples: ['shopctl customers get 1234567890123456789', 'shopctl customers get --external-id CRM-42 --json'],
  effect: 'read',
  credential: 'shop-api-key',
  request: record(lookup('customer')),
  response: customer,
  rules: atLeastOneOf('id', 'code', 'external_id'),
  positional: 'id',
});

export const ListCustomers = operation({
  id: 'shop.Customer/ListCustomers',
  command: 'customers list',
  summary: 'List customers',
  examples: ['shopctl customers list --limit 20', 'shopctl customers list --all --include-deleted -o jsonl'],
  effect: 'read',
  credential: 'shop-api-key',
  request: record({ ...filtered({ id: idsFilter('Ids of the customers') }), ...withDeleted, ...paged }),
  response: record({ customers: list(customer, 'The customers'), ...atPage }),
  page: { items: 'customers', cursors: true },
});

export const UpdateCustomer = operation({
  id: 'shop.Customer/UpdateCustomer',
  command: 'customers update',
  summary: 'Update a customer',
  description: 'A field that is not given stays as it is; an empty text clears it, except for the name and the phone.',
  examples: ['shopctl customers update 1234567890123456789 --email lan@example.com --note ""'],
  effect: 'update',
  credential: 'shop-api-key',
  request: customerChanges,
  response: customer,
  rules: notBlank('full_name', 'phone'),
  positional: 'id',
});
