import { isSafePage, type SignInPending } from '../../flows/sign-in.ts';
import type { SignInPage } from '../../flows/sign-in-page/sign-in-page.ts';
import { makeSafe } from '../../platform/text-safety.ts';
import type { Invocation } from '../command.ts';
import { ConfigurationError } from '../usage-error.ts';

/** The service's own sign-in page, else ours with the component that the profile names, else none. */
function addressOf({ session }: Invocation, pending: SignInPending, page: SignInPage | undefined): string | undefined {
  if (pending.signInUrl !== undefined) return pending.signInUrl;
  const componentUrl = session.settings.profile?.sign_in_component_url;
  if (componentUrl === undefined || page === undefined) return undefined;
  return page.offer({ componentUrl, requestToken: pending.requestToken });
}

/** Refuses a component of the profile that no page may run. */
export function checkComponent({ session }: Invocation): void {
  const componentUrl = session.settings.profile?.sign_in_component_url;
  if (componentUrl === undefined || isSafePage(componentUrl)) return;
  throw new ConfigurationError('the sign_in_component_url of the profile must be https, or on this machine');
}

/** Says where the shop signs in, always with the address, and opens it where there is a browser. */
export async function announce(
  invocation: Invocation,
  pending: SignInPending,
  page: SignInPage | undefined,
): Promise<void> {
  const { context, session, given } = invocation;
  const write = (text: string) => context.stderr.write(`${makeSafe(text)}\n`);
  const address = addressOf(invocation, pending, page);
  if (address === undefined) {
    await write('The service named no sign-in page, and the profile has no sign_in_component_url.');
    await write('Let the shop sign in with this request token on a page of your own:');
    return write(`  ${pending.requestToken.reveal()}`);
  }
  await write('Sign the shop in on this page:');
  await write(`  ${address}`);
  if (given.flags.browser === false) return;
  const { opened } = await context.browser.open(address);
  if (opened && session.globals.quiet !== true) await write('It should be open in your browser now.');
}
