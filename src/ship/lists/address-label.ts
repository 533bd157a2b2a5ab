import type { DraftAddress } from '../../ledger/order-draft.ts';

/** One line that distinguishes an address from others. */
export function addressLabel({ full_name, phone, address1, ward, district, province }: DraftAddress): string {
  return [full_name, phone, address1, ward, district, province].filter(Boolean).join(', ');
}

/** Whether an address has everything that a parcel needs. */
export function isWhole(address: DraftAddress): boolean {
  const { full_name, phone, province, district, ward, address1 } = address;
  return [full_name, phone, province, district, ward, address1].every(Boolean);
}
