// All control operations. Routes, client, commands and OpenAPI use this module's exports.
export * from './accounts.ts';
export * from './clock.ts';
export * from './faults.ts';
export * from './requests.ts';
export * from './server.ts';
export * from './shipments.ts';
export * from './snapshots.ts';
