import type { StoredProfile } from '../platform/settings.ts';

export const outputFormats = ['table', 'json', 'jsonl', 'csv', 'yaml', 'name'] as const;
/** How a result is written. */
export type OutputFormat = (typeof outputFormats)[number];

/** Where a setting in force comes from. */
export type Origin = 'flag' | 'environment' | 'profile' | 'default';

/** A setting in force, and where it comes from. */
export interface InForce<Value> {
  readonly value: Value;
  readonly origin: Origin;
}

/** The settings in force for one command: flag over environment over profile over default. */
export interface ResolvedSettings {
  readonly profileName: InForce<string> | undefined;
  readonly profile: StoredProfile | undefined;
  readonly baseUrl: InForce<string> | undefined;
  readonly as: InForce<'partner' | 'shop'> | undefined;
  readonly shop: InForce<string> | undefined;
  readonly output: InForce<OutputFormat>;
  readonly timeoutMs: InForce<number>;
  readonly maxRetries: InForce<number>;
  readonly readOnly: InForce<boolean>;
  readonly noInput: InForce<boolean>;
  readonly debug: InForce<boolean>;
}
