import * as z from 'zod';
import type { Hint } from '../../contract/hint.ts';
import { text } from '../../contract/scalars.ts';

/** Selects one of several running sandboxes. */
export const sandboxField = { sandbox: z.optional(text('which sandbox, where several run; the newest when absent')) };

export const sandboxHint: { readonly sandbox: Hint } = { sandbox: { flag: 'name' } };
