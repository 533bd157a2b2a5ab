import { paymentFile } from '../../cod/actions/sandbox-payment-file.ts';
import { controlActions } from './control.ts';
import { followLog } from './log.ts';
import { exec, start } from './start-actions.ts';
import { openapi, status, stop } from './state.ts';
import { trigger } from './trigger.ts';

/** A sandbox of the whole service on this machine. */
export const actions = [start, exec, stop, status, openapi, ...controlActions, trigger, paymentFile, followLog];
