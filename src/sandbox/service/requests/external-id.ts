import { invalid } from '../../engine/refusal.ts';

const EXTERNAL_ID = /^[-._$#:\w]{2,100}$/;

/** Refuses with 400 a given external id that violates the sandbox's limits (decisions, section 2). */
export function requireExternalId(externalId: string | undefined): void {
  if (!externalId || EXTERNAL_ID.test(externalId)) return;
  throw invalid('external_id', 'must have 2 to 100 letters, digits or - . _ $ # :');
}
