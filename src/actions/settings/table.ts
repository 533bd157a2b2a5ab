import {
  address,
  anyText,
  count,
  format,
  oneOfNames,
  onOrOff,
  type Setting,
  seconds,
  workspaceAddress,
} from './setting.ts';

/**
 * Every setting, in display order. A flag takes precedence over the environment, the environment over the profile, the
 * profile over the default. The keys are their names in the code.
 */
export const settingsTable = {
  profileName: {
    name: 'profile',
    description: 'use this profile',
    type: anyText('the name of a profile'),
    flag: { name: 'profile', placeholder: 'NAME', offers: 'profiles' },
    variable: 'SHOPCTL_PROFILE',
  },
  shop: {
    name: 'shop',
    description: 'act for this shop, by its id or name',
    type: anyText('the id of a shop, or its name'),
    flag: { name: 'shop', placeholder: 'ID', offers: 'shops' },
    variable: 'SHOPCTL_SHOP',
    kept: 'current_shop',
  },
  as: {
    name: 'as',
    description: 'call as partner or as shop, where both can',
    type: oneOfNames('partner', 'shop'),
    flag: { name: 'as', placeholder: 'KIND' },
    variable: 'SHOPCTL_AS',
    kept: 'kind',
    fixed: true,
  },
  baseUrl: {
    name: 'base_url',
    description: 'address of the service',
    type: address,
    flag: { name: 'base-url', placeholder: 'URL' },
    variable: 'SHOPCTL_BASE_URL',
    kept: 'base_url',
    required: true,
  },
  output: {
    name: 'output',
    description: 'how to print the result',
    type: format,
    flag: { name: 'output', short: 'o', placeholder: 'FORMAT' },
    variable: 'SHOPCTL_OUTPUT',
    isManner: true,
    kept: 'output',
  },
  debug: {
    name: 'debug',
    description: 'show on stderr what goes over the wire, keys redacted',
    type: onOrOff,
    flag: { name: 'debug' },
    variable: 'SHOPCTL_DEBUG',
    isManner: true,
    otherwise: false,
  },
  noInput: {
    name: 'no_input',
    description: 'never ask',
    type: onOrOff,
    flag: { name: 'no-input' },
    variable: 'SHOPCTL_NO_INPUT',
    isManner: true,
    otherwise: false,
  },
  timeoutMs: {
    name: 'timeout',
    description: 'limit for one attempt',
    type: seconds,
    flag: { name: 'timeout', placeholder: 'SECONDS' },
    variable: 'SHOPCTL_TIMEOUT',
    isManner: true,
    otherwise: 30_000,
  },
  maxRetries: {
    name: 'max_retries',
    description: 'how often a call is tried again',
    type: count,
    flag: { name: 'max-retries', placeholder: 'N' },
    variable: 'SHOPCTL_MAX_RETRIES',
    isManner: true,
    otherwise: 3,
  },
  readOnly: {
    name: 'read_only',
    description: 'refuse everything that writes',
    type: onOrOff,
    flag: { name: 'read-only' },
    variable: 'SHOPCTL_READ_ONLY',
    kept: 'read_only',
    otherwise: false,
  },
  workspace: {
    name: 'workspace',
    description: 'where batches and events are kept: a file, or a postgres:// url that several machines share',
    type: workspaceAddress,
    variable: 'SHOPCTL_WORKSPACE',
    kept: 'settings',
  },
  componentUrl: {
    name: 'sign_in_component_url',
    description: "script of the service's sign-in component",
    type: anyText('a url'),
    kept: 'sign_in_component_url',
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** The name of a setting in the code. */
export type SettingKey = keyof typeof settingsTable;
