import { list, record, text } from '../schema/scalars.ts';

const ward = record({ name: text('Name of the ward') });

const district = record({ name: text('Name of the district'), wards: list(ward, 'Its wards') });

const province = record({ name: text('Name of the province or city'), districts: list(district, 'Its districts') });

/** The places that the service knows (contract, "Location response"; a ward has only a name: decisions, section 6). */
export const locations = record({ provinces: list(province, 'The provinces and cities') });
