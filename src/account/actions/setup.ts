import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { checkedBaseUrl } from '../../client/base-url.ts';
import { Refusal } from '../../client/refusal.ts';
import { text } from '../../contract/schema/scalars.ts';
import { Secret } from '../../platform/settings/secret.ts';
import type { StoredProfile } from '../../platform/settings/settings.ts';
import { isSafePage } from '../sign-in.ts';
import { say } from '../texts.ts';
import { newKey, storedProfile } from './profile-keys.ts';
import { DEFAULT_PROFILE } from './save-shop.ts';

/** A person's answers, and where they were saved. */
interface MadeProfile {
  readonly name: string;
  readonly profile: StoredProfile;
}

/** A text that must pass a check; `faultOf` returns what is wrong with it. */
function checkedText(faultOf: (text: string) => string | undefined) {
  return z.string().superRefine((text, context) => {
    const fault = faultOf(text);
    if (fault !== undefined) context.addIssue(fault);
  });
}

function addressFault(text: string): string | undefined {
  try {
    checkedBaseUrl(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Asks for a profile, saves it and makes it the one in force. Each answer is checked at once, the key by its service.
 */
export async function askForProfile(ports: Ports): Promise<MadeProfile> {
  const { person, store, settings } = ports;
  const stored = await store.read();
  const nameFault = (name: string) => {
    if (name === '') return say().setup.needsName;
    return storedProfile(stored, name) === undefined ? undefined : say().setup.nameTaken;
  };
  const name = await person.ask({
    name: 'name',
    message: say().setup.name,
    schema: checkedText(nameFault),
    ...(nameFault(DEFAULT_PROFILE) === undefined ? { initial: DEFAULT_PROFILE } : {}),
  });
  const base_url = await person.ask({
    name: 'base_url',
    message: say().setup.address,
    schema: checkedText(addressFault),
    ...(settings.baseUrl === undefined ? {} : { initial: settings.baseUrl.value }),
  });
  const kind = await person.ask({
    name: 'kind',
    message: say().setup.kind,
    schema: z.enum(['partner', 'shop']),
    choices: [
      { name: say().setup.partner, value: 'partner' },
      { name: say().setup.shop, value: 'shop' },
    ],
  });
  const address = base_url.replace(/\/+$/, '');
  const key = await newKey(undefined, { kind, base_url: address }, { ask: askForKey, ports });
  const component = key.kind === 'partner' ? await askForComponent(person) : '';
  const profile: StoredProfile = {
    base_url: address,
    ...key,
    ...(component === '' ? {} : { sign_in_component_url: component }),
  };
  await store.update((before) => ({
    ...before,
    current_profile: name,
    profiles: { ...before.profiles, [name]: profile },
  }));
  return { name, profile };
}

function askForKey(person: Ports['person']): Promise<string> {
  return person.ask({
    name: 'api_key',
    message: say().key.askHidden,
    schema: z.string().regex(/^[\x21-\x7e]+$/, say().key.hasSpaces),
    secret: true,
  });
}

function askForComponent(person: Ports['person']): Promise<string> {
  return person.ask({
    name: 'sign_in_component_url',
    message: say().setup.component,
    schema: z.string().refine((text) => text === '' || isSafePage(text), say().setup.componentUnsafe),
  });
}

export const setup = action({
  id: 'auth.setup',
  words: ['auth', 'setup'],
  summary: 'Set up a first profile by answering questions',
  description: 'Without a terminal, use: shopctl profiles add NAME --base-url URL --api-key-stdin.',
  examples: ['shopctl auth setup'],
  effect: 'settings',
  mayAlso: ['write'],
  undo: 'auth logout',
  needs: ['person'],
  input: z.object({}),
  output: z.optional(
    z.object({
      profile: text('Name of the profile that was made'),
      kind: text('Whose API key it has: partner or shop'),
      base_url: text('Address of the service'),
      api_key: text('The last characters of its API key'),
    }),
  ),
  view: {
    columns: [{ path: 'profile' }, { path: 'kind', kind: 'state' }, { path: 'base_url' }, { path: 'api_key' }],
    name: 'profile',
  },
  async run(_, ports) {
    const { person, ui, report, isLook } = ports;
    if (!person.isThere) {
      throw new Refusal('nobody_to_ask', say().setup.nobody);
    }
    if (isLook) {
      report.notice(say().setup.nothingAsked);
      return undefined;
    }
    const { name, profile } = await askForProfile(ports);
    const { kind, base_url, api_key = '' } = profile;
    report.notice(say().profiles.made({ name, advice: ui.advise('use_new_profile', { kind }) }));
    return { profile: name, kind, base_url, api_key: new Secret(api_key).redacted() };
  },
});
