import * as z from 'zod';
import type { Hint } from '../../contract/schema/hint.ts';
import { text } from '../../contract/schema/scalars.ts';

/** Selects one of several running sandboxes. */
export const sandboxField = {
  sandbox: z.optional(text('which sandbox, where several run; when absent, that of the profile, otherwise the newest')),
};

export const sandboxHint: { readonly sandbox: Hint } = { sandbox: { flag: 'name' } };
