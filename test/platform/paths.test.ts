import { describe, expect, it } from 'vitest';
import { placesOf } from '../../src/platform/files/paths.ts';
import { SettingsError } from '../../src/platform/settings/settings.ts';

const linux = { env: {}, home: '/home/mai', platform: 'linux' };

describe('the places of shopctl', () => {
  it('are the XDG defaults in the home directory', () => {
    expect(placesOf(linux)).toEqual({
      config: '/home/mai/.config/shopctl',
      state: '/home/mai/.local/state/shopctl',
      usualState: '/home/mai/.local/state/shopctl',
      cache: '/home/mai/.cache/shopctl',
    });
    expect(placesOf({ ...linux, platform: 'darwin' }).config).toBe('/home/mai/.config/shopctl');
  });

  it('follow absolute XDG variables', () => {
    const env = { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: '/k/' };
    expect(placesOf({ ...linux, env })).toMatchObject({
      config: '/c/shopctl',
      state: '/s/shopctl',
      cache: '/k/shopctl',
    });
  });

  it('ignore relative and empty XDG variables', () => {
    const env = { XDG_CONFIG_HOME: 'config', XDG_STATE_HOME: '', XDG_CACHE_HOME: '../cache' };
    expect(placesOf({ ...linux, env })).toEqual(placesOf(linux));
  });

  it('have their state where SHOPCTL_STATE_DIR says, else XDG_STATE_HOME, else SHOPCTL_CONFIG_DIR', () => {
    const env = { SHOPCTL_CONFIG_DIR: '/tmp/own', XDG_STATE_HOME: '/s', SHOPCTL_STATE_DIR: '/state' };
    const stateOf = (changes: object) => placesOf({ ...linux, env: { ...env, ...changes } }).state;
    expect(stateOf({})).toBe('/state');
    expect(stateOf({ SHOPCTL_STATE_DIR: '' })).toBe('/s/shopctl');
    expect(stateOf({ SHOPCTL_STATE_DIR: '', XDG_STATE_HOME: '' })).toBe('/tmp/own/state');
    expect(() => stateOf({ SHOPCTL_STATE_DIR: 'own' })).toThrow(SettingsError);
    expect(placesOf({ ...linux, env }).usualState).toBe('/tmp/own/state');
    expect(placesOf({ ...linux, env: { SHOPCTL_STATE_DIR: '/state' } }).usualState).toBe(
      '/home/mai/.local/state/shopctl',
    );
  });

  it('all lie in SHOPCTL_CONFIG_DIR when it is set, but for the state', () => {
    const env = { SHOPCTL_CONFIG_DIR: '/tmp/own/', XDG_CONFIG_HOME: '/s' };
    expect(placesOf({ ...linux, env, home: '' })).toEqual({
      config: '/tmp/own',
      state: '/tmp/own/state',
      usualState: '/tmp/own/state',
      cache: '/tmp/own/cache',
    });
    expect(placesOf({ ...linux, env: { SHOPCTL_CONFIG_DIR: '' } })).toEqual(placesOf(linux));
  });

  it('refuse a relative SHOPCTL_CONFIG_DIR, which would mean other keys in each directory', () => {
    expect(() => placesOf({ ...linux, env: { SHOPCTL_CONFIG_DIR: 'own' } })).toThrow(SettingsError);
  });

  it('refuse a missing home instead of using the working directory', () => {
    expect(() => placesOf({ ...linux, home: '' })).toThrow(/no home directory/);
  });

  it('are the platform’s own on Windows', () => {
    const env = { APPDATA: 'C:\\Users\\mai\\AppData\\Roaming', LOCALAPPDATA: 'D:\\Local' };
    const windows = { env, home: 'C:\\Users\\mai', platform: 'win32' };
    expect(placesOf(windows)).toEqual({
      config: 'C:\\Users\\mai\\AppData\\Roaming\\shopctl',
      state: 'D:\\Local\\shopctl\\state',
      usualState: 'D:\\Local\\shopctl\\state',
      cache: 'D:\\Local\\shopctl\\cache',
    });
    expect(placesOf({ ...windows, env: {} }).state).toBe('C:\\Users\\mai\\AppData\\Local\\shopctl\\state');
  });
});
