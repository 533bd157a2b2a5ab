import packageFile from '../package.json' with { type: 'json' };

/** The version of shopctl, from its package. */
export const version: string = packageFile.version;
