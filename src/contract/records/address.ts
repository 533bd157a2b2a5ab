import type * as z from 'zod';
import { entriesOf } from '../../domain/json/keys-of.ts';
import { decimal, lookedAt, record, requiring, text } from '../schema/scalars.ts';
import { say } from '../texts.ts';

const axes = {
  latitude: decimal('Latitude, north is positive', 'degrees'),
  longitude: decimal('Longitude, east is positive', 'degrees'),
};

type Axis = keyof typeof axes;

/** The largest absolute value of a coordinate. */
const farthest: Readonly<Record<Axis, number>> = { latitude: 90, longitude: 180 };

/** Coordinates need both parts, within their ranges. */
function checkPlace({
  value,
  issues,
}: z.core.ParsePayload<{ readonly [Name in Axis]?: number | null | undefined }>): void {
  const [given, ...others] = (['latitude', 'longitude'] as const).filter((axis) => (value[axis] ?? null) !== null);
  if (given !== undefined && others.length === 0) {
    const missing = given === 'latitude' ? 'longitude' : 'latitude';
    const message = say().rules.goTogether({ one: given, other: missing });
    issues.push({ code: 'custom', input: value, path: [missing], message });
  }
  for (const [axis, most] of entriesOf<Axis, number>(farthest)) {
    if (Math.abs(value[axis] ?? 0) <= most) continue;
    issues.push({ code: 'custom', input: value, path: [axis], message: say().rules.degrees({ most }) });
  }
}

/** Latitude and longitude in degrees, both or neither (contract, "CustomerAddress"; JSON numbers, decisions, section 1). */
export const coordinates = record(axes).check(checkPlace);

/** Latitude and longitude, both required (contract, "ShipnowAddress"). */
export const completeCoordinates = requiring(axes, {}).check(checkPlace);

/** The names of a place; decisions, section 9, says how freely they may be written. */
export const placeNames = {
  province: lookedAt('province', 'Province or city; prefix, abbreviation and diacritics are optional'),
  district: lookedAt('district', 'District; prefix, abbreviation and diacritics are optional'),
  ward: lookedAt('ward', 'Ward; prefix, abbreviation and diacritics are optional'),
};

const { province, district, ward } = placeNames;
const person = { full_name: text('Full name of the person'), phone: lookedAt('phone', 'Phone number') };
const address1 = text('Street address, first line');

const rest = {
  email: lookedAt('email', 'Email address'),
  company: text('Company'),
  address2: text('Street address, second line'),
};

/** An order's address as it is read (contract, "OrderAddress"). */
export const orderAddress = record({ ...person, ...placeNames, address1, ...rest });

/** An order's address as required for a shipment (decisions, section 7). */
export const completeOrderAddress = requiring({ ...person, ...placeNames, address1 }, rest);

/** A place by its names (contract, "LocationAddress"). */
export const locationAddress = record(placeNames);

/** A place to quote a shipment for: province and district are required, the ward is not. */
export const quotedAddress = requiring({ province, district }, { ward });
