import { checkedBaseUrl } from '../../client/base-url.ts';
import type { StoredProfile } from '../../platform/settings.ts';
import type { Group, Invocation, Result } from '../command.ts';
import { outputFormats, type View } from '../document.ts';
import { beforeSending } from '../printing.ts';
import { type InForce, outputFormat } from '../settings.ts';
import { UsageError } from '../usage-error.ts';

const view: View = { columns: [{ path: 'name' }, { path: 'value' }], name: 'name', fields: ['origin'] };
const viewWithOrigin: View = { ...view, columns: [...view.columns, { path: 'origin' }] };

function rowsOf({ session }: Invocation): { name: string; value: string | null; origin: string }[] {
  const { settings } = session;
  const row = (name: string, setting: InForce<unknown> | undefined) => ({
    name,
    value: setting === undefined ? null : String(setting.value),
    origin: setting?.origin ?? 'default',
  });
  return [
    row('profile', settings.profileName),
    row('base_url', settings.baseUrl),
    row('as', settings.as),
    row('shop', settings.shop),
    row('output', settings.output),
    row('timeout', { value: settings.timeoutMs.value / 1000, origin: settings.timeoutMs.origin }),
    row('max_retries', settings.maxRetries),
    row('read_only', settings.readOnly),
    row('no_input', settings.noInput),
    row('debug', settings.debug),
  ];
}

async function list(invocation: Invocation): Promise<Result> {
  const chosen = invocation.given.flags['show-origin'] === true ? viewWithOrigin : view;
  const listed = await beforeSending(invocation.context, invocation.session, chosen);
  return listed ?? { document: { kind: 'list', rows: rowsOf(invocation), view: chosen } };
}

async function get(invocation: Invocation): Promise<Result> {
  const name = invocation.given.arguments[0] ?? '';
  const row = rowsOf(invocation).find((candidate) => candidate.name === name.replaceAll('-', '_'));
  if (row === undefined)
    throw unknownSetting(
      name,
      rowsOf(invocation).map((candidate) => candidate.name),
    );
  return asText(invocation, row.value ?? '', row);
}

/** A bare text for people and shells, and a record where a format for programs was asked for. */
function asText({ session }: Invocation, text: string, value: Readonly<Record<string, unknown>>): Result {
  const { value: format } = session.settings.output;
  if (format === 'table' || format === 'name') return { document: { kind: 'text', text: `${text}\n` } };
  const columns = Object.keys(value).map((path) => ({ path }));
  return { document: { kind: 'record', value, view: { columns } } };
}

function unknownSetting(name: string, known: readonly string[]): UsageError {
  return new UsageError(`there is no setting ${JSON.stringify(name)}`, {
    hint: `the settings are: ${known.join(', ')}`,
  });
}

/** How the text of each setting that a profile keeps is read; throws a UsageError for what it cannot be. */
const kept: Readonly<Record<string, (text: string) => Partial<StoredProfile>>> = {
  base_url: (text) => ({ base_url: checkedBaseUrl(text).href.replace(/\/+$/, '') }),
  shop: (text) => ({ current_shop: text }),
  sign_in_component_url: (text) => ({ sign_in_component_url: text }),
  output: (text) => {
    if (outputFormat(text) === undefined) throw new UsageError(`output must be one of ${outputFormats.join(', ')}`);
    return { output: text };
  },
  read_only: (text) => {
    if (text !== 'true' && text !== 'false') throw new UsageError('read_only must be true or false');
    return { read_only: text === 'true' };
  },
};

/** Changes the profile in force. A new base url of another origin would carry the keys along, so it is refused. */
async function changeProfile(
  invocation: Invocation,
  change: (profile: StoredProfile) => StoredProfile,
): Promise<Result> {
  const name = invocation.session.settings.profileName?.value;
  if (name === undefined) {
    throw new UsageError('no profile is in force', {
      hint: 'make one with `shopctl profiles add NAME --base-url URL`',
    });
  }
  await invocation.session.store.update((settings) => {
    const profile = settings.profiles[name];
    if (profile === undefined) throw new UsageError(`there is no profile ${JSON.stringify(name)}`);
    const changed = change(profile);
    const hasKeys = profile.api_key !== undefined || Object.keys(profile.shops ?? {}).length > 0;
    if (hasKeys && new URL(changed.base_url).origin !== new URL(profile.base_url).origin) {
      throw new UsageError('the keys of this profile belong to its present address and go to no other', {
        hint: 'add a profile for the other one with `shopctl profiles add NAME --base-url URL`',
      });
    }
    return { ...settings, profiles: { ...settings.profiles, [name]: changed } };
  });
  return { document: { kind: 'none' } };
}

async function set(invocation: Invocation): Promise<Result> {
  const [name = '', value = ''] = invocation.given.arguments;
  const read = Object.hasOwn(kept, name.replaceAll('-', '_')) ? kept[name.replaceAll('-', '_')] : undefined;
  if (read === undefined) throw unknownSetting(name, Object.keys(kept));
  const change = read(value);
  return changeProfile(invocation, (profile) => ({ ...profile, ...change }));
}

async function unset(invocation: Invocation): Promise<Result> {
  const name = (invocation.given.arguments[0] ?? '').replaceAll('-', '_');
  if (!Object.hasOwn(kept, name)) throw unknownSetting(name, Object.keys(kept));
  if (name === 'base_url') throw new UsageError('a profile cannot be without a base_url');
  const field = name === 'shop' ? 'current_shop' : name;
  return changeProfile(
    invocation,
    (profile) =>
      Object.fromEntries(Object.entries(profile).filter(([key]) => key !== field)) as unknown as StoredProfile,
  );
}

const name = { name: 'name', description: 'name of the setting', required: true } as const;

/** `shopctl config`: the settings in force, and those that a profile keeps. */
export const group: Group = {
  commands: [
    {
      words: ['list'],
      summary: 'List the settings in force',
      flags: () => [{ name: 'show-origin', type: 'boolean', description: 'tell where each one comes from' }],
      examples: ['shopctl config list --show-origin'],
      run: list,
    },
    {
      words: ['get'],
      summary: 'Print one setting',
      arguments: [name],
      examples: ['shopctl config get base_url'],
      run: get,
    },
    {
      words: ['set'],
      summary: 'Change a setting of the profile in force',
      arguments: [name, { name: 'value', description: 'its value', required: true }],
      examples: ['shopctl config set output json'],
      run: set,
    },
    {
      words: ['unset'],
      summary: 'Remove a setting from the profile in force',
      arguments: [name],
      examples: ['shopctl config unset output'],
      run: unset,
    },
    {
      words: ['path'],
      summary: 'Print where the settings are kept',
      examples: ['shopctl config path'],
      run: async (invocation) => {
        const { path } = invocation.session.store;
        return asText(invocation, path, { path });
      },
    },
  ],
};
