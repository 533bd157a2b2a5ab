export { sameSecret } from '../platform/secret.ts';
