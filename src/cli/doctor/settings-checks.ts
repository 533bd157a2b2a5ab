import { baseUrlOf } from '../../actions/settings/keys.ts';
import { checkedBaseUrl } from '../../client/base-url.ts';
import { proxyFor, proxyVariables } from '../../platform/proxy.ts';
import type { Invocation } from '../command.ts';
import { canAsk } from '../interaction.ts';
import { type Finding, failed, failedBy, fine, skipped, warning } from './finding.ts';

/** Whether the settings can be read, and what they hold. */
export function checkSettings({ session }: Invocation): Finding {
  if (session.problem !== undefined) return failedBy('settings', session.problem);
  return fine('settings', session.store.path);
}

/** Whether the closing of permissions was asked for: with --yes, or by a person who says so now. */
async function mayMend({ context, session }: Invocation, warnings: readonly string[]): Promise<boolean> {
  const { globals } = session;
  if (globals['dry-run'] === true || globals.curl === true) return false;
  if (globals.yes === true) return true;
  if (!canAsk(context, session)) return false;
  return context.prompter.confirm({ message: `${warnings.join('; ')}. Close it?`, initial: true });
}

/** Whether other users can reach the settings; where somebody agrees, their permissions are taken away. */
export async function checkPermissions(invocation: Invocation): Promise<Finding> {
  const { store } = invocation.session;
  try {
    const warnings = await store.warnings();
    if (warnings.length === 0) return fine('permissions', 'only you can reach the settings');
    if (!(await mayMend(invocation, warnings))) {
      return warning('permissions', warnings.join('; '), '`shopctl doctor --yes` closes it to other users');
    }
    await store.mend();
    const left = await store.warnings();
    if (left.length === 0) return fine('permissions', 'closed to other users');
    return warning('permissions', left.join('; '), 'this file system keeps no permissions');
  } catch (error) {
    if ((error as { kind?: unknown }).kind !== 'configuration') throw error;
    return failedBy('permissions', error);
  }
}

/** Which profile is in force. Without one everything may still come from the environment. */
export function checkProfile({ session }: Invocation): Finding {
  const { profileName, profile, baseUrl } = session.settings;
  if (session.problem !== undefined) return skipped('profile', 'the settings cannot be used');
  if (profileName !== undefined && profile !== undefined) {
    return fine('profile', `${profileName.value}, a ${profile.kind}'s (from the ${profileName.origin})`);
  }
  const hint = 'make one with `shopctl auth setup`, or `shopctl sandbox start`';
  if (profileName !== undefined) return failed('profile', 'configuration', `there is no ${profileName.value}`, hint);
  if (baseUrl !== undefined) return fine('profile', 'none; the address comes from elsewhere');
  return warning('profile', 'none', hint);
}

/** The address of the service, checked; undefined where there is none to call. */
export function checkAddress({ session }: Invocation): { finding: Finding; url?: URL } {
  if (session.problem !== undefined) return { finding: skipped('address', 'the settings cannot be used') };
  try {
    const url = checkedBaseUrl(baseUrlOf(session.settings));
    return { finding: fine('address', `${url.href} (from the ${session.settings.baseUrl?.origin})`), url };
  } catch (error) {
    return { finding: failedBy('address', error) };
  }
}

/** The address of a proxy without the password that may stand in it. */
function shownProxy(proxy: string): string | undefined {
  const text = proxy.includes('://') ? proxy : `http://${proxy}`;
  return URL.canParse(text) ? new URL(text).origin : undefined;
}

/** Which proxy the calls go through. */
export function checkProxy({ context }: Invocation, url: URL | undefined): Finding {
  if (url === undefined) return skipped('proxy', 'there is no address');
  const proxy = proxyFor(url, proxyVariables(context.env));
  if (proxy === undefined) return fine('proxy', 'none in use');
  const shown = shownProxy(proxy);
  if (shown !== undefined) return fine('proxy', `${shown} in use`);
  return failed('proxy', 'network', 'its address is not a url', 'check HTTPS_PROXY and HTTP_PROXY');
}
