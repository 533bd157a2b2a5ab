import { dirname } from 'node:path';
import * as z from 'zod';
import type { Ports } from '../../action/ports.ts';
import { checkedBaseUrl } from '../../client/base-url.ts';
import { fieldsIn } from '../../domain/json/values.ts';
import { proxyFor, proxyVariables } from '../../platform/http/proxy.ts';
import { isLoopbackHost } from '../../platform/server/loopback-server.ts';
import { emptyVariables } from '../../settings/in-force.ts';
import { baseUrlOf } from '../../settings/keys.ts';
import { type Finding, failed, failedBy, fine, skipped, warning } from './finding.ts';
import { say } from './texts.ts';

/** Whether the settings can be read, and their content. */
export function checkSettings(ports: Ports): Finding {
  if (ports.problem !== undefined) return failedBy('settings', ports.problem, ports);
  return fine('settings', ports.store.path);
}

/** Whether permissions may be fixed: agreed to beforehand, or by a person who is asked now. */
async function mayMend(
  { isLook, person, settings }: Ports,
  warnings: readonly string[],
  isAgreed: boolean,
): Promise<boolean> {
  if (settings.readOnly.value !== false) return false;
  if (isLook || isAgreed || person.hasAgreed) return !isLook;
  if (!person.isThere) return false;
  const message = say().permissions.close({ warnings: warnings.join('; ') });
  return person.ask({ name: 'close', message, schema: z.boolean(), initial: true });
}

/** Whether other users can access the settings; if agreed to, removes their permissions. */
export async function checkPermissions(ports: Ports, isAgreed: boolean): Promise<Finding> {
  const { store, ui } = ports;
  try {
    const warnings = await store.warnings();
    if (!(await ports.files.isWritable(store.path))) {
      // A key from a mounted secret works all the same.
      const found = say().permissions.unwritable({ path: store.path, cache: ports.places.cache });
      return warning('permissions', found, ui.advise('choose_config'));
    }
    if (warnings.length === 0) return fine('permissions', say().permissions.onlyYou);
    if (!(await mayMend(ports, warnings, isAgreed))) {
      return warning('permissions', warnings.join('; '), ui.advise('close_settings'));
    }
    await store.mend();
    const left = await store.warnings();
    if (left.length === 0) return fine('permissions', say().permissions.closed);
    return warning('permissions', left.join('; '), ui.advise('no_permissions_here'));
  } catch (error) {
    if (fieldsIn(error).kind === 'configuration') return failedBy('permissions', error, ports);
    const found = error instanceof Error ? error.message : String(error);
    return failed('permissions', 'configuration', found, ui.advise('own_settings', { path: dirname(store.path) }));
  }
}

/** The variables that are set but empty, which every command that calls the service refuses. */
export function checkVariables({ env }: Ports): readonly Finding[] {
  const empty = emptyVariables(env);
  if (empty.length === 0) return [];
  return [
    failed('variables', 'configuration', say().variables.empty({ names: empty.join(', ') }), say().variables.cure),
  ];
}

/** Which profile is in force. Without one, everything may still come from the environment. */
export function checkProfile({ settings, problem, ui }: Ports): Finding {
  const { profileName, profile, baseUrl } = settings;
  if (problem !== undefined) return skipped('profile', say().settingsUnusable);
  if (profileName !== undefined && profile !== undefined) {
    const { value: name, origin } = profileName;
    return fine('profile', say().profile.is({ name, kind: profile.kind, origin }));
  }
  const hint = ui.advise('set_up_profile');
  if (profileName !== undefined)
    return failed('profile', 'configuration', say().profile.missing({ name: profileName.value }), hint);
  if (baseUrl !== undefined) return fine('profile', say().profile.addressElsewhere);
  return warning('profile', say().profile.none, hint);
}

/** The validated address of the service; undefined if there is none to call. */
export function checkAddress(ports: Ports): { finding: Finding; url?: URL } {
  const { settings, problem } = ports;
  if (problem !== undefined) return { finding: skipped('address', say().settingsUnusable) };
  try {
    const url = checkedBaseUrl(baseUrlOf(settings));
    const origin = settings.baseUrl?.origin ?? '';
    return { finding: fine('address', say().address({ url: url.href, origin })), url };
  } catch (error) {
    return { finding: failedBy('address', error, ports) };
  }
}

/** Which proxy the calls use. */
export function checkProxy({ env, ui }: Ports, url: URL | undefined, service: Finding | undefined): Finding {
  if (url === undefined) return skipped('proxy', say().service.noAddress);
  try {
    const variables = proxyVariables(env);
    const proxy = proxyFor(url, variables);
    if (proxy === undefined) {
      const unread = ['all_proxy', 'ALL_PROXY'].find((name) => env[name]);
      const isMeant = unread !== undefined && variables.https === undefined && !isLoopbackHost(url.hostname);
      return isMeant
        ? warning('proxy', say().proxy.unread({ name: unread }), say().proxy.cure)
        : fine('proxy', say().proxy.none);
    }
    const { origin: shown } = proxy;
    if (service?.failure !== 'proxy') return fine('proxy', say().proxy.used({ proxy: shown }));
    return failed('proxy', 'network', say().proxy.failed({ proxy: shown }), ui.advise('check_proxy'));
  } catch (error) {
    return failedBy('proxy', error, { ui });
  }
}
