// Everything that can be told to a running sandbox. Routes, client, commands and OpenAPI go through this module's exports.
export * from './accounts.ts';
export * from './clock.ts';
export * from './faults.ts';
export * from './requests.ts';
export * from './server.ts';
export * from './shipments.ts';
export * from './snapshots.ts';
