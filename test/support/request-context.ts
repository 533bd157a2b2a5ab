import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { isDerivedName } from '../../src/domain/named-by.ts';
import { type RunOptions, type TestMachine, testMachine } from './context.ts';
import { noticeText } from './stderr-lines.ts';

/** A machine without a service, on which command lines become requests that are not sent. */
export interface RequestContext extends TestMachine {
  /** Writes a file into the machine's directory and returns its path. */
  file(name: string, content: string): string;
  /** The body of the request that a command line stands for. */
  // Tests read requests of every shape; what they expect of them says the test itself.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  bodyOf(words: readonly string[], options?: RunOptions): Promise<any>;
}

/** A context with the profiles `shop`, which is in force, and `partner`. */
export async function requestContext(): Promise<RequestContext> {
  const machine = testMachine(async () => {
    throw new Error('nothing is to be sent');
  });
  const base_url = 'http://127.0.0.1:4010';
  await machine.save({
    version: 1,
    current_profile: 'shop',
    profiles: {
      shop: { kind: 'shop', base_url, api_key: '1:key-of-a-test' },
      partner: { kind: 'partner', base_url, api_key: '1:key-of-a-test' },
    },
  });
  return {
    ...machine,
    file(name, content) {
      const path = join(machine.directory, name);
      writeFileSync(path, content);
      return path;
    },
    async bodyOf(words, options = {}) {
      const { exit, stdout, stderr } = await machine.run([...words, '--dry-run', '-o', 'json'], options);
      expect([exit, withoutExample(noticeText(stderr))]).toEqual([0, 'dry run: nothing was sent\n']);
      const { external_id, ...asked } = JSON.parse(stdout).body;
      // A name that is made for the record is no part of what was said.
      return external_id === undefined || isDerivedName(external_id) ? asked : { ...asked, external_id };
    },
  };
}

/** What a dry run says, but for a name that cannot be known before there is a ledger. */
export function withoutExample(stderr: string): string {
  return stderr.replace(/^the external_id is only an example: .*\n/m, '');
}

/** The flags for the required sums of an order: basket value, discount and number of items. */
export function orderSums(basket: number, discount: number, items: number): string[] {
  return [
    ...['--basket-value', String(basket), '--total-discount', String(discount)],
    ...['--total-amount', String(basket - discount), '--total-items', String(items)],
  ];
}
