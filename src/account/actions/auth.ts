import { login } from './auth/login.ts';
import { setup } from './auth/setup.ts';
import { logout, shops, use } from './auth/shops.ts';
import { status } from './auth/status.ts';
import { token } from './auth/token.ts';

/** Signing shops in, and the resulting keys. */
export const actions = [login, status, shops, use, logout, token, setup];
