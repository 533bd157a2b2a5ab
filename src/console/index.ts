export { listenForPages } from '../platform/server/http-server.ts';
export { startConsole } from './start.ts';
