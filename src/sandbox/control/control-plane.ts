import type { WireRequest, WireResponse } from '../../platform/transport.ts';
import { jsonAnswer, refusalAnswer } from '../answer.ts';
import { Refusal } from '../refusal.ts';
import { parseBody } from '../request-body.ts';
import { sameSecret } from '../secrets.ts';
import type { ControlContext } from './route.ts';
import { controlRoutes } from './routes.ts';

/** Everything of the control plane lies below this path. */
export const CONTROL_PATH = '/_sandbox/';

/** Answers a request to the control plane; whoever lacks this run's token learns nothing, not even which routes there are. */
export async function answerControl(
  request: WireRequest,
  token: string,
  context: ControlContext,
): Promise<WireResponse> {
  try {
    const [, given = ''] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
    if (!sameSecret(given, token)) throw new Refusal('unauthenticated', 'the control token is missing or wrong');
    const path = new URL(request.url).pathname.slice(CONTROL_PATH.length);
    const route = controlRoutes.find((known) => known.path === path && known.method === request.method);
    if (route === undefined) throw new Refusal('bad_route', `the control plane has no ${request.method} ${path}`);
    const input = request.method === 'GET' ? {} : parseBody(request.body);
    return jsonAnswer(200, await route.handle(context, { ...input }));
  } catch (error) {
    if (error instanceof Refusal) return refusalAnswer(error);
    return refusalAnswer(new Refusal('internal', 'the sandbox failed'));
  }
}
