import { webAddress } from '../../engine/store/record-kinds.ts';

/** The distance class of a parcel: within a province, to a nearby one, or across the country. */
export type Zone = 'province' | 'region' | 'country';

/** One service of a carrier. Fees are integers of the one currency. */
export interface CarrierService {
  readonly name: string;
  /** The fee for the first 500 g; a missing zone is not served. */
  readonly base: Readonly<Partial<Record<Zone, number>>>;
  /** The fee for each further 500 g or part of it. */
  readonly per500Grams: number;
  /** The surcharge for a rural district. */
  readonly rural: number;
  /** Hours from the order to the pickup. */
  readonly pickupHours: number;
  /** Hours from the pickup to the delivery. */
  readonly deliveryHours: Readonly<Record<Zone, number>>;
}

/** A carrier of the sandbox; all are invented (decisions, section 1). */
export interface Carrier {
  /** The value of `carrier`. */
  readonly code: string;
  readonly name: string;
  readonly connectionId: string;
  /** The insurance fee per 1000 of the basket's value. */
  readonly insurancePerMille: number;
  /** The fee per 1000 of cash on delivery; carriers without it do not collect cash. */
  readonly cashPerMille: number;
  readonly services: readonly CarrierService[];
}

/** A carrier as returned by the API (contract, "CarrierInfo"). */
export function carrierInfoOf({ code, name }: Pick<Carrier, 'code' | 'name'>) {
  return { name, image_url: webAddress(`carriers/${code}.svg`) };
}

const standard: CarrierService = {
  name: 'Standard',
  base: { province: 18000, region: 24000, country: 31000 },
  per500Grams: 3500,
  rural: 5000,
  pickupHours: 6,
  deliveryHours: { province: 24, region: 48, country: 96 },
};

const express: CarrierService = {
  name: 'Express',
  base: { province: 26000, region: 36000, country: 47000 },
  per500Grams: 6000,
  rural: 8000,
  pickupHours: 2,
  deliveryHours: { province: 8, region: 24, country: 36 },
};

const economy: CarrierService = {
  name: 'Economy',
  base: { province: 14500, region: 19000, country: 25500 },
  per500Grams: 2800,
  rural: 4000,
  pickupHours: 24,
  deliveryHours: { province: 48, region: 96, country: 168 },
};

/** The six carriers; the first is the platform's own. */
export const carriers: readonly Carrier[] = [
  {
    code: 'platform',
    name: 'Platform Delivery',
    connectionId: '1900000000000000101',
    insurancePerMille: 4,
    cashPerMille: 0,
    services: [standard, express],
  },
  {
    code: 'redkite',
    name: 'Red Kite',
    connectionId: '1900000000000000203',
    insurancePerMille: 5,
    cashPerMille: 8,
    services: [{ ...standard, base: { province: 16500, region: 23000, country: 32500 } }, express],
  },
  {
    code: 'bluewhale',
    name: 'Blue Whale',
    connectionId: '1900000000000000307',
    insurancePerMille: 3,
    cashPerMille: 10,
    services: [economy],
  },
  {
    code: 'nightowl',
    name: 'Night Owl',
    connectionId: '1900000000000000401',
    insurancePerMille: 6,
    cashPerMille: 0,
    services: [
      {
        ...express,
        name: 'Overnight',
        base: { province: 32000, region: 43500 },
        deliveryHours: { province: 8, region: 14, country: 24 },
      },
    ],
  },
  {
    code: 'greenmile',
    name: 'Green Mile',
    connectionId: '1900000000000000503',
    insurancePerMille: 5,
    cashPerMille: 5,
    services: [
      { ...standard, per500Grams: 3000 },
      { ...economy, rural: 2500 },
    ],
  },
  {
    code: 'tortoise',
    name: 'Tortoise Post',
    connectionId: '1900000000000000607',
    insurancePerMille: 5,
    cashPerMille: 12,
    services: [
      { ...economy, name: 'Saver', base: { province: 12000, region: 16500, country: 22000 }, pickupHours: 30 },
    ],
  },
];
