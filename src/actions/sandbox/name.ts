import * as z from 'zod';
import type { Hint } from '../../contract/hint.ts';
import { text } from '../../contract/scalars.ts';

/** Which of several running sandboxes is meant. */
export const sandboxField = { sandbox: z.optional(text('which sandbox, where several run; the newest when absent')) };

export const sandboxHint: { readonly sandbox: Hint } = { sandbox: { flag: 'name' } };
