// The two parts of undici that one call needs. Its index also loads fetch, caches and websockets, which costs more at
// start-up than the call itself; these paths have no types of their own.

declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici';
  export default Agent;
}

declare module 'undici/lib/core/connect.js' {
  import type { LookupFunction, Socket } from 'node:net';
  import type { buildConnector as Connectors } from 'undici';
  export default function buildConnector(options: {
    timeout: number;
    lookup?: LookupFunction;
  }): (options: Connectors.Options, callback: Connectors.Callback) => Socket;
}
