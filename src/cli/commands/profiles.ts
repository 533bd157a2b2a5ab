import { isSendable } from '../../client/authorization.ts';
import { checkedBaseUrl } from '../../client/base-url.ts';
import { Secret } from '../../platform/secret.ts';
import type { Settings, StoredProfile } from '../../platform/settings.ts';
import type { Group, Invocation, Result } from '../command.ts';
import type { View } from '../document.ts';
import { canAsk } from '../interaction.ts';
import { beforeSending } from '../printing.ts';
import { textFlag } from '../request-input.ts';
import { textSource } from '../text-source.ts';
import { UsageError } from '../usage-error.ts';

const view: View = {
  columns: [
    { path: 'name' },
    { path: 'current', kind: 'flag' },
    { path: 'kind' },
    { path: 'base_url' },
    { path: 'api_key' },
    { path: 'shops' },
    { path: 'current_shop' },
    { path: 'read_only', kind: 'flag' },
  ],
  name: 'name',
};

/** A profile as it may be shown: keys as their last four characters. */
function shown(settings: Settings, name: string, profile: StoredProfile): object {
  return {
    name,
    current: settings.current_profile === name,
    kind: profile.kind,
    base_url: profile.base_url,
    api_key: profile.api_key === undefined ? null : new Secret(profile.api_key),
    shops: Object.keys(profile.shops ?? {}),
    current_shop: profile.current_shop ?? null,
    sign_in_component_url: profile.sign_in_component_url ?? null,
    output: profile.output ?? null,
    read_only: profile.read_only ?? false,
  };
}

/** As plain data, so that a Secret shows as its redacted text in every format. */
function plain(value: object): object {
  return JSON.parse(JSON.stringify(value)) as object;
}

function existing(settings: Settings, name: string): StoredProfile {
  const profile = Object.hasOwn(settings.profiles, name) ? settings.profiles[name] : undefined;
  if (profile === undefined) {
    throw new UsageError(`there is no profile ${JSON.stringify(name)}`, {
      hint: `the profiles are: ${Object.keys(settings.profiles).join(', ') || 'none'}`,
    });
  }
  return profile;
}

async function list({ context, session }: Invocation): Promise<Result> {
  const listed = await beforeSending(context, session, view);
  if (listed !== undefined) return listed;
  const settings = await session.store.read();
  const rows = Object.entries(settings.profiles).map(([name, profile]) => plain(shown(settings, name, profile)));
  return { document: { kind: 'list', rows, view } };
}

async function show({ context, session, given }: Invocation): Promise<Result> {
  const listed = await beforeSending(context, session, view);
  if (listed !== undefined) return listed;
  const settings = await session.store.read();
  const name = given.arguments[0] ?? session.settings.profileName?.value;
  if (name === undefined)
    throw new UsageError('no profile is in force', { hint: 'name one: shopctl profiles show NAME' });
  return { document: { kind: 'record', value: plain(shown(settings, name, existing(settings, name))), view } };
}

/** A key that a header can carry; anything else is a slip of copying, and is told before it is saved. */
function sendable(key: string): string {
  if (isSendable(key)) return key;
  throw new UsageError('the key holds a space, a line break or another character that no header can carry', {
    hint: 'a key is one word of letters, digits and signs: give it alone, without a second line',
  });
}

async function keyFor(invocation: Invocation): Promise<string | undefined> {
  const { context, session, given } = invocation;
  if (given.flags['api-key-stdin'] === true) {
    const key = (await textSource(context).stdin()).trim();
    if (key === '') throw new UsageError('stdin held no key');
    return sendable(key);
  }
  if (given.flags['no-key'] === true || !canAsk(context, session)) return undefined;
  const answer = await context.prompter.secret({ message: 'API key (empty for none)' });
  return answer.trim() === '' ? undefined : sendable(answer.trim());
}

async function add(invocation: Invocation): Promise<Result> {
  const { session, given } = invocation;
  const name = given.arguments[0] ?? '';
  const { baseUrl } = session.settings;
  if (baseUrl === undefined) throw new UsageError('--base-url is missing');
  checkedBaseUrl(baseUrl.value);
  const kind = textFlag(invocation, 'kind') ?? 'partner';
  if (kind !== 'partner' && kind !== 'shop') throw new UsageError('--kind must be partner or shop');
  const taken = Object.hasOwn((await session.store.read()).profiles, name);
  if (taken && given.flags.replace !== true) {
    throw new UsageError(`there is a profile ${JSON.stringify(name)} already`, { hint: 'replace it with --replace' });
  }
  const api_key = await keyFor(invocation);
  const component = textFlag(invocation, 'sign-in-component-url');
  const profile: StoredProfile = {
    kind,
    base_url: baseUrl.value,
    ...(api_key === undefined ? {} : { api_key }),
    ...(component === undefined ? {} : { sign_in_component_url: component }),
    ...(session.globals['read-only'] === true ? { read_only: true } : {}),
  };
  const settings = await session.store.update((stored) => ({
    ...stored,
    current_profile: stored.current_profile ?? name,
    profiles: { ...stored.profiles, [name]: profile },
  }));
  return { document: { kind: 'record', value: plain(shown(settings, name, profile)), view } };
}

async function use({ session, given }: Invocation): Promise<Result> {
  const name = given.arguments[0] ?? '';
  await session.store.update((settings) => {
    existing(settings, name);
    return { ...settings, current_profile: name };
  });
  return { document: { kind: 'none' }, notices: [`${name} is the profile in force`] };
}

async function remove({ context, session, given }: Invocation): Promise<Result> {
  const name = given.arguments[0] ?? '';
  existing(await session.store.read(), name);
  if (session.globals.yes !== true) {
    if (!canAsk(context, session)) throw new UsageError('removing a profile needs --yes where nobody can be asked');
    const message = `Remove the profile ${name} and its keys?`;
    if (!(await context.prompter.confirm({ message, initial: false }))) {
      throw new UsageError('not confirmed, nothing was removed');
    }
  }
  await session.store.update((settings) => {
    const { [name]: _, ...profiles } = settings.profiles;
    const { current_profile, ...rest } = settings;
    return {
      ...rest,
      profiles,
      ...(current_profile === undefined || current_profile === name ? {} : { current_profile }),
    };
  });
  return { document: { kind: 'none' }, notices: [`removed ${name}; its keys stay valid at the service`] };
}

const name = { name: 'name', description: 'name of the profile', required: true } as const;

/** `shopctl profiles`: accounts at services. */
export const group: Group = {
  commands: [
    { words: ['list'], summary: 'List the profiles', examples: ['shopctl profiles list'], run: list },
    {
      words: ['show'],
      summary: 'Show a profile, keys as their last four characters',
      arguments: [{ ...name, required: false }],
      examples: ['shopctl profiles show', 'shopctl profiles show sandbox --json'],
      run: show,
    },
    {
      words: ['add'],
      summary: 'Add a profile: the address of a service and a key for it',
      description: 'The key is read from stdin (--api-key-stdin) or asked for without echo; it is never a flag.',
      arguments: [name],
      flags: () => [
        { name: 'kind', type: 'string', description: 'whose API key it is', values: ['partner', 'shop'] },
        { name: 'api-key-stdin', type: 'boolean', description: 'read the API key from stdin' },
        { name: 'replace', type: 'boolean', description: 'replace a profile of that name' },
        {
          name: 'sign-in-component-url',
          type: 'string',
          placeholder: 'URL',
          description: "script of the service's sign-in component",
        },
      ],
      examples: ['shopctl profiles add live --base-url https://shop.example --api-key-stdin < key.txt'],
      run: add,
    },
    {
      words: ['use'],
      summary: 'Make a profile the one in force',
      arguments: [name],
      examples: ['shopctl profiles use sandbox'],
      run: use,
    },
    {
      words: ['remove'],
      summary: 'Remove a profile and its keys',
      arguments: [name],
      examples: ['shopctl profiles remove sandbox --yes'],
      run: remove,
    },
  ],
};
