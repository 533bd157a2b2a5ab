import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { Secret } from '../../src/platform/settings/secret.ts';

it('a secret shows its last four characters only if they are a quarter of it at most', () => {
  for (let length = 1; length <= 40; length += 1) {
    const text = Array.from({ length }, (_, at) => String.fromCharCode(97 + (at % 26))).join('');
    const secret = new Secret(text);
    const shown = length < 16 ? '***' : `***${text.slice(-4)}`;
    expect([secret.redacted(), `${secret}`, JSON.stringify({ secret }), inspect(secret)]).toEqual([
      shown,
      shown,
      JSON.stringify({ secret: shown }),
      shown,
    ]);
  }
});
