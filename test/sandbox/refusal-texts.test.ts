import { expect, it } from 'vitest';
import { allOperations } from '../../src/contract/areas.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { everyField } from '../contract/every-field.ts';
import { openTestSandbox } from '../support/sandbox.ts';

const operations = await allOperations();

/** Values that hardly any field can have; which of them are wrong is the sandbox's to say. */
const odd = [true, 'x', '', 1.5, 1e300, -1, [], [1], {}, { x: 1 }, [[]], [{}]];

/** A request that says one thing: `lines[].quantity` is 1.5. */
function requestOf(path: string, value: unknown): unknown {
  const steps = path.split('.');
  return steps.reduceRight((inner: unknown, step) => {
    const name = step.replaceAll('[]', '');
    const lists = step.length - name.length > 0 ? [inner] : inner;
    return { [name]: lists };
  }, value);
}

/** What a refusal of a field may say: our words, never those of a library. */
const ours =
  /^(is (missing|not a 64-bit integer id|too large for a JSON number to carry exactly: write the id as a string|larger than a JSON number can carry exactly|not supported yet: leave it out or empty|no .*|-?\d.*|one name too many: .*|unknown.*)|must (be|have|not) .*|is missing: .*|names? .*|has .*|cannot go together .*|adds up to .*|differs .*)$/;

it('a refusal of a request is in our words, whatever is wrong with whichever field', async () => {
  const { post, partner, shop, shopKey } = await openTestSandbox();
  const keys = { 'partner-api-key': partner.apiKey, 'shop-api-key': shop.apiKey, 'shop-key': shopKey };
  let refusals = 0;
  const judge = async ({ id, credential }: Operation, request: unknown) => {
    const { status, body } = await post(id, request, keys[credential]);
    if (status !== 400) return;
    refusals += 1;
    for (const said of String(body.msg).split('; ')) {
      const [, words = said] = /^(?:[\w.[\]"]+) (.*)$/.exec(said) ?? [];
      expect(words, `${id} ${JSON.stringify(request)}: ${said}`).toMatch(ours);
      expect(said).not.toMatch(/Invalid|[Ee]xpected|received|Too (small|big)/);
    }
  };
  for (const operation of operations) {
    for (const { path } of everyField(jsonSchema(operation.request))) {
      for (const value of odd) await judge(operation, requestOf(path, value));
    }
  }
  expect(refusals).toBeGreaterThan(3000);
});
