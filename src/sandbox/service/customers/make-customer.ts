import type * as z from 'zod';
import type { newCustomer } from '../../../contract/records/customers/customer.ts';
import type { WithoutNulls } from '../../engine/call.ts';
import type { Stored } from '../../engine/store/records/rows.ts';
import type { Work } from '../../engine/work.ts';
import { takeCode } from '../requests/codes.ts';
import { requireExternalId } from '../requests/external-id.ts';
import { requireTexts } from '../requests/required-texts.ts';

/** The input for a customer. */
export type CustomerInput = WithoutNulls<z.output<typeof newCustomer>>;

/**
 * Creates a customer with its own code (decisions, section 6). Every type that the contract knows is accepted,
 * including the deprecated `independent`, and kept as given.
 */
export function makeCustomer(work: Work, shopId: string, input: CustomerInput): Stored<'customer'> {
  requireTexts(input, ['full_name', 'phone']);
  requireExternalId(input.external_id);
  const code = takeCode(work, shopId, 'customer', undefined, () => work.nextCode(shopId, 'KH'));
  const defaults = { type: 'individual', gender: 'unknown', status: 'P' } as const;
  return work.records('customer', shopId).insert({ ...defaults, ...input, code });
}
