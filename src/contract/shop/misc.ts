import { operation } from '../operation.ts';
import { locations, publicAccountInfo, versionInfo } from '../records/account.ts';
import { empty } from '../schema/scalars.ts';

export const CurrentAccount = operation({
  id: 'shop.Misc/CurrentAccount',
  command: 'account show',
  summary: 'Show the account that the key belongs to',
  examples: ['shopctl account show', 'shopctl account show --profile sandbox-shop --json'],
  effect: 'read',
  credential: 'shop-api-key',
  request: empty,
  response: publicAccountInfo,
});

export const GetLocationList = operation({
  id: 'shop.Misc/GetLocationList',
  command: 'locations list',
  summary: 'List the provinces, districts and wards that the service knows',
  examples: ['shopctl locations list -o csv', 'shopctl locations list --query "provinces[].name"'],
  effect: 'read',
  credential: 'shop-api-key',
  request: empty,
  response: locations,
  page: { items: 'provinces', cursors: false },
});

export const VersionInfo = operation({
  id: 'shop.Misc/VersionInfo',
  command: 'service version',
  summary: 'Show which version of the service answers',
  examples: ['shopctl service version', 'shopctl service version --json'],
  effect: 'read',
  credential: 'shop-api-key',
  request: empty,
  response: versionInfo,
});
