import { record, text, textMap, time } from '../schema/scalars.ts';

/** The service's name and version (contract, "VersionInfo response"). */
export const versionInfo = record({
  service: text('Name of the service'),
  version: text('Version of the service'),
  updated_at: time('When it was last deployed'),
  meta: textMap('What else the service tells about itself'),
});
