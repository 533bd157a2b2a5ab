import * as enums from '../enums.ts';
import { id, oneOf, record, text } from '../schema/scalars.ts';

/** The account of a key (contract, PublicAccountInfo). */
export const publicAccountInfo = record({
  id: id('Id of the account'),
  name: text('Name of the account'),
  type: oneOf(enums.accountType, 'Kind of the account'),
  image_url: text('URL of its picture'),
  website: text('Website of the account'),
});
