import type { Ports } from '../../action/ports.ts';
import { openWorkspace } from '../../ledger/open.ts';
import { payToMirror } from '../../mirror/actions/copy-payments.ts';
import { atMirror, shopInForce } from '../../mirror/actions/place.ts';
import type { Payments } from '../store/payments.ts';

/** The payments of the shop whose key is used. */
export interface AtPayments {
  readonly payments: Payments;
  readonly shopId: string;
}

/** Opens the payments of the workspace for some work. Throws a Refusal, a WorkspaceError or a CallError. */
export async function atPayments<Result>(ports: Ports, work: (at: AtPayments) => Promise<Result>): Promise<Result> {
  const shopId = await shopInForce(ports);
  const { Payments } = await import('../index.ts');
  const workspace = await openWorkspace(ports);
  try {
    return await work({ payments: new Payments(workspace), shopId });
  } finally {
    await workspace.close();
  }
}

/** Copies the payments to the mirror if there is one. Throws a WorkspaceError. */
export async function payToMirrorIfAny(ports: Ports): Promise<void> {
  const [{ mirrorExists }, { mirrorPlace }] = await Promise.all([
    import('../../mirror/index.ts'),
    import('../../mirror/actions/place.ts'),
  ]);
  if (mirrorExists(mirrorPlace(ports))) await atMirror(ports, (at) => payToMirror(at, ports));
}
