import * as z from 'zod';
import type { Person, Ports } from '../../action/ports.ts';
import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { readOwn } from '../../domain/json/values.ts';
import { lookAtPhone } from '../../domain/likeness.ts';
import { suggestAddresses } from '../../domain/places/place-suggest.ts';
import { type LocationTree, placeLabel } from '../../domain/places/places.ts';
import type { DraftAddress } from '../../ledger/order-draft.ts';
import { fieldNamed } from '../../sheets/fields.ts';
import type { Mapping } from '../../sheets/mapping/mapping.ts';
import { addressLabel, isWhole, rememberedPickups, rememberPickup } from '../../ship/shop-lists.ts';
import { say } from '../texts.ts';
import { savedMappings } from './mappings.ts';

type Constants = Record<string, string>;

export const PICKUP = 'shipping.pickup_address';
export const TRY_ON = 'shipping.try_on';
export const INSURANCE = 'shipping.include_insurance';
export const WEIGHT = 'shipping.gross_weight';
const OTHER = 'other';

function isRequired(schema: JsonSchema | undefined, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return true;
  return schema?.required?.includes(step) === true && isRequired(schema.properties?.[step], rest);
}

/** Whether none of the fields says if the parcels of a sheet are insured: then they are (contract, OrderShipping). */
export const lacksInsurance = (fields: readonly string[], schema: JsonSchema): boolean =>
  isRequired(schema, ['shipping']) && fieldNamed(schema, INSURANCE) !== undefined && !fields.includes(INSURANCE);

/** Whether none of the fields says what a parcel of a sheet weighs: the carrier charges for what it weighs. */
const lacksWeight = (fields: readonly string[], schema: JsonSchema) =>
  isRequired(schema, ['shipping']) && ![WEIGHT, 'shipping.chargeable_weight'].some((field) => fields.includes(field));

/** What every row of a sheet needs, and none of its fields is: no marketplace exports where a parcel is picked up. */
export function openConstants(fields: readonly string[], schema: JsonSchema): readonly string[] {
  return [PICKUP, TRY_ON].filter(
    (path) =>
      isRequired(schema, path.split('.')) && !fields.some((field) => field === path || field.startsWith(`${path}.`)),
  );
}

const textNotBlank = () => z.string().trim().min(1, say().constants.notBlank);

const phoneNotWrong = () =>
  textNotBlank().superRefine((answer, check) => {
    const look = lookAtPhone(answer);
    if (look.kind === 'impossible') check.addIssue(look.message);
  });

/** Asks for an address that no parcel was picked up from before. */
async function askAddress(person: Person, tree: LocationTree): Promise<DraftAddress> {
  const asked = say().constants;
  const text = textNotBlank();
  const full_name = await person.ask({ name: 'full_name', message: asked.fullName, schema: text });
  const number = await person.ask({ name: 'phone', message: asked.phone, schema: phoneNotWrong() });
  const found = await person.ask({
    name: 'place',
    message: asked.place,
    schema: text,
    search: (typed) =>
      suggestAddresses(tree, typed)
        .filter(({ place }) => place.ward !== undefined)
        .map(({ place, street }) => ({
          name: placeLabel(place),
          value: JSON.stringify({ ...place, address1: street }),
        })),
  });
  const { address1 = '', ...place } = readOwn<DraftAddress>(found);
  const street = await person.ask({
    name: 'address1',
    message: asked.street,
    schema: text,
    ...(address1 ? { initial: address1 } : {}),
  });
  return { full_name, phone: number, ...place, address1: street };
}

const pickupFields = ['full_name', 'phone', 'province', 'district', 'ward', 'address1'] as const;

/** Where the constants of a mapping have parcels picked up. */
export const pickupIn = (constants: Mapping['constants']): DraftAddress =>
  Object.fromEntries(pickupFields.map((field) => [field, String(constants[`${PICKUP}.${field}`] ?? '')]));

/** Where parcels were picked up before, latest first, and where saved mappings have them picked up; each once. */
async function knownPickups(ports: Ports): Promise<readonly DraftAddress[]> {
  const remembered = await rememberedPickups(ports.places.state, ports.files);
  const mapped = (await savedMappings(ports)).flatMap(([, { constants }]): DraftAddress[] => {
    const address = pickupIn(constants);
    return isWhole(address) ? [address] : [];
  });
  return [...new Map([...remembered, ...mapped].map((address) => [addressLabel(address), address])).values()];
}

async function askPickup(ports: Ports): Promise<Constants> {
  const { person, places, files } = ports;
  const known = await knownPickups(ports);
  const which =
    known.length === 0
      ? OTHER
      : await person.ask({
          name: PICKUP,
          message: say().constants.pickup,
          schema: z.string(),
          choices: [
            ...known.map((address, at) => ({ name: addressLabel(address), value: String(at) })),
            { name: say().constants.otherAddress, value: OTHER },
          ],
        });
  const { locationTree } = await import('../../domain/places/place-data.ts');
  const address = known[Number(which)] ?? (await askAddress(person, locationTree));
  if (isWhole(address)) await rememberPickup(places.state, files, address);
  return Object.fromEntries(
    pickupFields.flatMap((name) => (address[name] ? [[`${PICKUP}.${name}`, address[name]]] : [])),
  );
}

async function askTryOn({ person }: Ports, schema: JsonSchema): Promise<Constants> {
  const choices = (fieldNamed(schema, TRY_ON)?.schema.enum ?? []).filter((value) => value !== '');
  const tryOn = await person.ask({
    name: TRY_ON,
    message: say().constants.tryOn,
    schema: z.string(),
    choices: choices.map((value) => ({ name: say().constants.choice(value), value })),
  });
  return { [TRY_ON]: tryOn };
}

async function askInsurance({ person }: Ports): Promise<Constants> {
  const isInsured = await person.ask({
    name: INSURANCE,
    message: say().constants.insurance,
    schema: z.enum(['yes', 'no']),
    choices: ['yes', 'no'].map((value) => ({ name: say().constants.choice(value), value })),
  });
  return { [INSURANCE]: isInsured };
}

async function askWeight({ person }: Ports): Promise<Constants> {
  const { weight, notGrams } = say().constants;
  const schema = z
    .string()
    .trim()
    .regex(/^(?:[1-9]\d{0,5})?$/, notGrams);
  const grams = await person.ask({ name: WEIGHT, message: weight, schema });
  return grams === '' ? {} : { [WEIGHT]: grams };
}

/** Asks once for what is the same in every row: pickup, weight, whether recipients may try on, and insurance. */
export async function askConstants(
  fields: readonly string[],
  schema: JsonSchema,
  ports: Ports,
): Promise<Mapping['constants']> {
  const open = openConstants(fields, schema);
  return {
    ...(open.includes(PICKUP) ? await askPickup(ports) : {}),
    ...(lacksWeight(fields, schema) ? await askWeight(ports) : {}),
    ...(open.includes(TRY_ON) ? await askTryOn(ports, schema) : {}),
    ...(lacksInsurance(fields, schema) ? await askInsurance(ports) : {}),
  };
}
