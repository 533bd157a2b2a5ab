/* A flag that chooses what is written, for whom or at what price has one value; of what shapes the output, the last counts. */
import { describe, expect, it } from 'vitest';
import type { Command, Flag } from '../../src/cli/flags/command.ts';
import { globalFlags } from '../../src/cli/line/globals.ts';
import { readCommand } from '../../src/cli/program.ts';
import { groups } from '../../src/cli/tree/groups.ts';
import { requestContext } from '../support/request-context.ts';
import { shopWorld } from '../support/shop-world.ts';
import { errorOf } from '../support/stderr-lines.ts';

const loaded = await Promise.all(groups.map(async ({ name, load }) => ({ name, commands: (await load()).commands })));
const commands = loaded.flatMap(({ name, commands }) =>
  commands.map((command) => [[name, ...command.words].join(' '), command] as const),
);
const required = ({ arguments: places }: Command) => places.filter((place) => place.required).map(() => '4242');
const isSingle = ({ type }: Flag) => ['string', 'id', 'integer', 'number'].includes(type);

/** What shapes the output or the waiting: everything else chooses. */
const style =
  /^(?:limit|last|page-size|sort|within|wait|every|poll|until-idle|give-up|max-outage|concurrency|output|timeout|max-retries|fields|query|lang|paper-lang)$/;

const refusalOf = async (line: readonly string[]) =>
  readCommand(line).then(
    () => undefined,
    (error: unknown) => String(error),
  );

describe('two different values of a flag', () => {
  it.each(commands)('are refused unless it shapes the output or the waiting: %s', async (words, command) => {
    const start = [...words.split(' '), ...required(command)];
    for (const flag of command.flags().filter(isSingle)) {
      const name = `--${flag.name}`;
      expect(await refusalOf([...start, name, '1', name, '1'])).toBeUndefined();
      const refusal = await refusalOf([...start, name, '1', `${name}=2`]);
      // Of the faults of a sandbox it is a number of calls.
      const isStyle = style.test(flag.name) && !(flag.name === 'every' && words === 'sandbox faults add');
      if (isStyle) expect(refusal, name).toBeUndefined();
      else expect(refusal).toContain(`${name} is given twice, as "1" and as "2"`);
    }
    for (const { name } of command.flags().filter(({ type }) => type === 'boolean'))
      expect(await refusalOf([...start, `--${name}`, `--no-${name}`])).toContain(`--no-${name} contradict`);
  });

  it.each(globalFlags.filter(({ value }) => value !== undefined).map(({ name }) => name))(
    'are refused before, behind and on both sides of a command: --%s',
    async (name) => {
      const one = [`--${name}`, 'one'];
      const other = [`--${name}`, 'two'];
      for (const line of [
        [...one, ...other, 'orders', 'list'],
        [...one, 'orders', 'list', ...other],
        ['orders', ...one, 'list', ...other],
        ['orders', 'list', ...one, ...other],
      ]) {
        const refusal = await refusalOf(line);
        if (style.test(name)) expect(refusal, line.join(' ')).toBeUndefined();
        else expect(refusal, line.join(' ')).toMatch(`--${name} is given twice`);
        expect(await refusalOf(line.map((word) => (word === 'two' ? 'one' : word)))).toBeUndefined();
      }
    },
  );

  it('send nothing: two files, two limits of the fee, an id and another id', async () => {
    const world = await shopWorld();
    for (const line of [
      'orders create --input a.json --input b.json',
      'ship --input a.json --pick cheapest --max-fee 1 --max-fee 99999999 --yes',
      'orders cancel 1 --id 2 --cancel-reason x --yes',
      'orders list --profile shop --profile test',
    ]) {
      const { exit, stdout, stderr } = await world.run([...line.split(' '), '--json']);
      expect([line, exit, stdout, errorOf(stderr).outcome]).toEqual([line, 2, '', 'not_applied']);
      expect(stderr).toContain('is given twice');
    }
  });

  it('are refused in the parts of a record as well', async () => {
    const { run } = await requestContext();
    const words = ['orders', 'create', '--external-meta', 'a=1', '--external-meta', 'b=1', '--external-meta', 'a=2'];
    const { exit, stderr } = await run([...words, '--dry-run']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('--external-meta: a has two different values')]);
  });
});
