import type { Ports } from '../../../action/ports.ts';
import { Refusal } from '../../../client/refusal.ts';
import type { SignInPage } from '../../page/sign-in-page.ts';
import { isSafePage, type SignInPending } from '../../sign-in.ts';

/** The service's own sign-in page, otherwise ours with the component named in the profile, otherwise none. */
function addressOf({ settings }: Ports, pending: SignInPending, page: SignInPage | undefined): string | undefined {
  if (pending.signInUrl !== undefined) return pending.signInUrl;
  const componentUrl = settings.profile?.sign_in_component_url;
  if (componentUrl === undefined || page === undefined) return undefined;
  return page.offer({ componentUrl, requestToken: pending.requestToken });
}

/** Refuses a component in the profile that a page must not run. */
export function checkComponent({ settings }: Ports): void {
  const componentUrl = settings.profile?.sign_in_component_url;
  if (componentUrl === undefined || isSafePage(componentUrl)) return;
  const message = 'the sign_in_component_url of the profile must be https, or on this machine';
  throw new Refusal('component_unsafe', message, { kind: 'configuration' });
}

/** Says where the shop signs in, always with the address, and opens it in a browser if possible and wanted. */
export async function announce(
  ports: Ports,
  pending: SignInPending,
  page: SignInPage | undefined,
  opens: boolean,
): Promise<void> {
  const { progress, browser, report } = ports;
  const address = addressOf(ports, pending, page);
  if (address === undefined) {
    await progress.say('The service gave no sign-in page, and the profile has no sign_in_component_url.');
    await progress.say('Let the shop sign in with this request token on a page of your own:');
    return progress.say(`  ${pending.requestToken.reveal()}`);
  }
  await progress.say('Sign the shop in on this page:');
  await progress.say(`  ${address}`);
  if (!opens) return;
  const { opened } = await browser.open(address);
  if (opened) report.say('It should be open in your browser now.');
}
