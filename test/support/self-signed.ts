import { readFileSync } from 'node:fs';

const pem = readFileSync(new URL('./self-signed.pem', import.meta.url), 'utf8');

/** A self-signed certificate for localhost, with its key, which protects nothing; valid until 2120. */
export const selfSigned = { cert: pem, key: pem };
