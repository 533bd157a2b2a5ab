import type { WireRequest, WireResponse } from '../../platform/transport.ts';
import { refusalAnswer } from '../answer.ts';
import type { Core } from '../core.ts';
import { Refusal } from '../refusal.ts';

/** Answers whatever is asked below the sign-in's path: the page, the component's script and what they call. */
export async function answerSignIn(_request: WireRequest, _core: Core): Promise<WireResponse> {
  return refusalAnswer(new Refusal('unimplemented', 'the sandbox has no sign-in page yet'));
}
