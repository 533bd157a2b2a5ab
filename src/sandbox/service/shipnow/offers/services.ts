import type { Carrier } from '../../carriers/carriers.ts';

/** A service of an on-demand delivery. Fees are integers of the one currency. */
export interface DeliveryService {
  readonly carrier: Pick<Carrier, 'code' | 'name'>;
  readonly name: string;
  readonly description: string;
  /** The fee for the distance to the first stop, up to `baseMetres`. */
  readonly baseFee: number;
  readonly baseMetres: number;
  /** The fee for each further kilometre or part of it. */
  readonly perKilometre: number;
  /** The fee for every stop after the first. */
  readonly perStop: number;
  /** The fee per 1000 of cash on delivery. */
  readonly cashPerMille: number;
  /** The longest route that is served. */
  readonly farthestMetres: number;
}

const platform = { code: 'platform', name: 'Platform Delivery' } as const;
const nightOwl = { code: 'nightowl', name: 'Night Owl' } as const;

/** The on-demand services of the sandbox; carriers and fees are invented. */
export const deliveryServices: readonly DeliveryService[] = [
  {
    carrier: platform,
    name: 'Instant',
    description: 'A driver picks up at once and goes straight to the stops',
    baseFee: 16000,
    baseMetres: 2000,
    perKilometre: 5000,
    perStop: 5000,
    cashPerMille: 0,
    farthestMetres: 40_000,
  },
  {
    carrier: platform,
    name: 'Same Day',
    description: 'Picked up within two hours, together with the parcels of others',
    baseFee: 12000,
    baseMetres: 3000,
    perKilometre: 3500,
    perStop: 4000,
    cashPerMille: 4,
    farthestMetres: 60_000,
  },
  {
    carrier: nightOwl,
    name: 'Night Ride',
    description: 'A driver also at night, with insulated bags',
    baseFee: 22000,
    baseMetres: 2000,
    perKilometre: 5500,
    perStop: 6000,
    cashPerMille: 5,
    farthestMetres: 30_000,
  },
];
