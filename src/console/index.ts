export { listenForPages } from '../platform/server/page-server.ts';
export { startConsole } from './start.ts';
