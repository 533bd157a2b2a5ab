import { shippingProvider } from '../enums.ts';
import { openName } from '../schema/scalars.ts';

/**
 * A carrier (contract, "Enumerations", ShippingProvider). Names of individual carriers are not in the contract: the one
 * to send comes from a quote.
 */
export const carrierName = (description: string) => openName(shippingProvider, description);
