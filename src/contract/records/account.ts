import * as enums from '../enums.ts';
import { id, list, oneOf, record, text, textMap, time } from '../schema/scalars.ts';

/** The account of a key (contract, PublicAccountInfo). */
export const publicAccountInfo = record({
  id: id('Id of the account'),
  name: text('Name of the account'),
  type: oneOf(enums.accountType, 'Kind of the account'),
  image_url: text('URL of its picture'),
  website: text('Website of the account'),
});

const ward = record({ name: text('Name of the ward') });

const district = record({ name: text('Name of the district'), wards: list(ward, 'Its wards') });

const province = record({ name: text('Name of the province or city'), districts: list(district, 'Its districts') });

/** The places that the service knows (contract, "Location response"; a ward has only a name: decisions, section 6). */
export const locations = record({ provinces: list(province, 'The provinces and cities') });

/** The service's name and version (contract, "VersionInfo response"). */
export const versionInfo = record({
  service: text('Name of the service'),
  version: text('Version of the service'),
  updated_at: time('When it was last deployed'),
  meta: textMap('What else the service tells about itself'),
});
