export { listenForPages } from '../platform/server/node-page-server.ts';
export { startConsole } from './serve/start.ts';
