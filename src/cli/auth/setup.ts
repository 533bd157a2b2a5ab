import { checkedBaseUrl } from '../../client/base-url.ts';
import { isSafePage } from '../../flows/sign-in.ts';
import { Secret } from '../../platform/secret.ts';
import type { StoredProfile } from '../../platform/settings.ts';
import type { Invocation, Result } from '../command.ts';
import { canAsk } from '../interaction.ts';
import { UsageError } from '../usage-error.ts';
import { DEFAULT_PROFILE } from './save-shop.ts';
import { storedProfile } from './stored-profile.ts';

/** What a person answered, and where it was saved. */
interface MadeProfile {
  readonly name: string;
  readonly profile: StoredProfile;
}

function addressFault(text: string): true | string {
  try {
    checkedBaseUrl(text.trim());
    return true;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Asks for a profile, saves it and makes it the one in force. An answer is checked as soon as it is given. */
export async function askForProfile({ context, session }: Invocation): Promise<MadeProfile> {
  const { prompter } = context;
  const settings = await session.store.read();
  const isNew = (text: string) =>
    text.trim() === ''
      ? 'a profile needs a name'
      : storedProfile(settings, text.trim())
        ? 'there is one already'
        : true;
  const name = await prompter.text({
    message: 'Name of the profile',
    ...(isNew(DEFAULT_PROFILE) === true ? { initial: DEFAULT_PROFILE } : {}),
    validate: isNew,
  });
  const base_url = await prompter.text({
    message: 'Address of the service',
    ...(session.settings.baseUrl === undefined ? {} : { initial: session.settings.baseUrl.value }),
    validate: addressFault,
  });
  const kind = await prompter.choose<StoredProfile['kind']>({
    message: 'Whose API key is it?',
    choices: [
      { name: "a partner's: it ships for shops that sign in", value: 'partner' },
      { name: "a shop's own", value: 'shop' },
    ],
  });
  const api_key = await prompter.secret({
    message: 'API key (not shown)',
    validate: (text) => /^[\x21-\x7e]+$/.test(text.trim()) || 'a key is one word without spaces',
  });
  const component = kind === 'partner' ? await askForComponent({ context }) : '';
  const profile: StoredProfile = {
    kind,
    base_url: base_url.trim().replace(/\/+$/, ''),
    api_key: api_key.trim(),
    ...(component === '' ? {} : { sign_in_component_url: component }),
  };
  await session.store.update((stored) => ({
    ...stored,
    current_profile: name.trim(),
    profiles: { ...stored.profiles, [name.trim()]: profile },
  }));
  return { name: name.trim(), profile };
}

async function askForComponent({ context }: Pick<Invocation, 'context'>): Promise<string> {
  const answer = await context.prompter.text({
    message: "Script of the service's sign-in component (empty if you have none)",
    validate: (text) => text.trim() === '' || isSafePage(text.trim()) || 'an https address, or one on this machine',
  });
  return answer.trim();
}

/** `auth setup`: a first profile by questions. */
export async function setup(invocation: Invocation): Promise<Result> {
  const { context, session } = invocation;
  if (!canAsk(context, session)) {
    throw new UsageError('auth setup asks questions, and there is nobody to answer', {
      hint: 'shopctl profiles add NAME --base-url URL --kind partner --api-key-stdin < FILE',
    });
  }
  if (session.globals['dry-run'] === true) {
    return { document: { kind: 'none' }, notices: ['dry run: nothing was asked, nothing was saved'] };
  }
  const { name, profile } = await askForProfile(invocation);
  const { kind, base_url, api_key = '' } = profile;
  const next =
    kind === 'partner' ? 'sign a shop in with `shopctl auth login`' : 'see your orders with `shopctl orders list`';
  return {
    document: {
      kind: 'record',
      value: { profile: name, kind, base_url, api_key: new Secret(api_key).redacted() },
      view: { columns: ['profile', 'kind', 'base_url', 'api_key'].map((path) => ({ path })), name: 'profile' },
    },
    notices: [`${name} is the profile in force; ${next}`],
    applied: true,
  };
}
