import { join } from 'node:path';
import type { DraftAddress } from '../../ledger/order-draft.ts';
import type { Files } from '../../platform/files/files.ts';
import { isWhole } from './address-label.ts';

const MOST = 12;

/** The file with the addresses of earlier pickups; mode 0600, since they are personal data. */
const pathIn = (stateDirectory: string) => join(stateDirectory, 'pickups.json');

/** The addresses of earlier pickups, latest first; empty if the file is missing or damaged. */
export async function rememberedPickups(stateDirectory: string, files: Files): Promise<DraftAddress[]> {
  try {
    const value: unknown = JSON.parse(await files.read(pathIn(stateDirectory)));
    return Array.isArray(value) ? value.filter((address) => isWhole(address ?? {})) : [];
  } catch {
    return [];
  }
}

/** Remembers where a parcel was picked up. A failure to do so does not affect the shipment. */
export async function rememberPickup(stateDirectory: string, files: Files, address: DraftAddress): Promise<void> {
  if (!isWhole(address)) return;
  const known = await rememberedPickups(stateDirectory, files);
  const others = known.filter((other) => JSON.stringify(other) !== JSON.stringify(address));
  const text = `${JSON.stringify([address, ...others].slice(0, MOST), undefined, 2)}\n`;
  await files.write(pathIn(stateDirectory), text, 0o600).catch(() => {});
}
