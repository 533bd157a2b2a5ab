import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import type { Ports } from '../action/ports.ts';
import { Refusal } from '../client/refusal.ts';
import { fieldErrors, words } from '../contract/schema/hint.ts';
import { exactIntegers } from '../domain/json/values.ts';
import { decodeUtf8 } from '../platform/files/files.ts';
import { looseParts, readOwn } from '../platform/settings/node-settings-guard.ts';
import type { Sql } from '../store/sql.ts';
import { type Amounts, factOf, reservedSince } from './store.ts';
import { say } from './texts.ts';

const must = (name: keyof ReturnType<typeof say>['policy']['must']) => ({ error: () => say().policy.must[name] });
const command = z.string(must('command')).trim().min(1, must('command'));
const names = z.optional(z.array(z.string(must('text')), must('list')));
const amount = z.optional(z.int(must('whole')).min(0, must('positive')));
const cap = z.optional(z.strictObject({ records: amount, fees: amount, cod: amount }));

const policySchema = z.strictObject({
  version: z.literal(1, must('one')),
  allow: z.optional(z.array(z.strictObject({ command, shops: names, carriers: names }))),
  approve: z.optional(z.array(z.strictObject({ command }))),
  caps: z.optional(z.strictObject({ plan: cap, hour: cap, day: cap })),
});

/** What a person allows agents: what needs no approval within the caps, what always needs one, and nothing else. */
export type Policy = z.output<typeof policySchema>;

/** A policy as it counts: absent where a person decides about each plan. */
export interface PolicyInForce {
  readonly policy: Policy | undefined;
  /** Of its file; empty without one. */
  readonly digest: string;
}

/** Where the policy of these settings is. */
export const policyFile = ({ places }: Pick<Ports, 'places'>): string => join(places.config, 'agents.yaml');

/** The digest by which a policy is accepted. */
export const policyDigest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The text of the policy; undefined without one. Throws a SettingsError for a file that is not this user's own. */
export function policyText(ports: Pick<Ports, 'places'>): string | undefined {
  const path = policyFile(ports);
  const bytes = readOwn(ports.places.config, path);
  if (bytes === undefined) return undefined;
  const [loose] = looseParts(path, path);
  if (loose !== undefined) throw refused(say().policy.open({ fault: loose }), path);
  const decoded = decodeUtf8(bytes);
  if (!('text' in decoded)) throw refused(say().policy.notText({ file: path }), path);
  return decoded.text;
}

const refused = (message: string, file: string) =>
  new Refusal('policy_invalid', message, { kind: 'configuration', facts: { file } });

/** A policy from its text. Throws a Refusal that names every word that it does not know. */
export async function readPolicy(text: string, file: string): Promise<Policy> {
  const { parseYaml } = await import('../platform/files/parse-yaml.ts');
  const yaml = await parseYaml(text);
  if (!yaml.ok) throw refused(say().policy.unreadable({ file, why: yaml.message }), file);
  const read = policySchema.safeParse(exactIntegers(yaml.documents[0]?.value ?? {}), { error: words });
  if (read.success && yaml.documents.length === 1) return read.data;
  const unknown = read.error?.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => say().policy.unknownName({ name: [...issue.path, key].join('.') }))
      : [],
  );
  const wrong = read.success
    ? []
    : fieldErrors(read.error).map(({ path, message }) => say().policy.field({ field: path, what: message }));
  const all = unknown === undefined || unknown.length === 0 ? wrong : unknown;
  throw refused(
    all.length === 0 ? say().policy.oneDocument({ file }) : say().policy.faults({ file, faults: all }),
    file,
  );
}

/** Under which name it is stored that a policy was accepted. */
const acceptedName = (ports: Pick<Ports, 'places'>) => `policy ${policyFile(ports)}`;

/** The digest of the policy that was accepted last; empty if none was. */
export const acceptedDigest = async (sql: Sql, ports: Pick<Ports, 'places'>): Promise<string> =>
  (await factOf(sql, acceptedName(ports))) ?? '';

/** The name under which a policy is accepted, and the digest of its file; empty without one. */
export const acceptance = (ports: Pick<Ports, 'places'>, text: string | undefined): [name: string, digest: string] => [
  acceptedName(ports),
  text === undefined ? '' : policyDigest(text),
];

/** The policy that counts. Throws a Refusal if its file is another one than was accepted, or cannot be read. */
export async function policyInForce(sql: Sql, ports: Pick<Ports, 'places'>): Promise<PolicyInForce> {
  const text = policyText(ports);
  const digest = text === undefined ? '' : policyDigest(text);
  if (digest !== (await acceptedDigest(sql, ports))) {
    const file = policyFile(ports);
    const message = text === undefined ? say().policy.gone({ file }) : say().policy.notAccepted({ file });
    throw new Refusal('policy_not_accepted', message, { kind: 'configuration', facts: { file } });
  }
  return { digest, policy: text === undefined ? undefined : await readPolicy(text, policyFile(ports)) };
}

/** What is decided about a plan: the policy allows it, a person must, or nobody may; and why. */
export interface Decision {
  readonly by: 'policy' | 'person' | 'nobody';
  readonly why: string;
}

/** What of a plan a policy asks for. */
export interface Judged extends Amounts {
  readonly command: string;
  /** The shop's names: its id, and what the profile calls it. */
  readonly shops: readonly string[];
  readonly carriers: readonly string[];
}

const MINUTE_MS = 60_000;
const windows = { hour: 60 * MINUTE_MS, day: 24 * 60 * MINUTE_MS } as const;
const counted = ['records', 'fees', 'cod'] as const;

/** The first cap that would be passed, in words; undefined if none would. */
async function passedCap(plan: Judged, { caps = {} }: Policy, sql: Sql, now: number): Promise<string | undefined> {
  const over = (limits: z.output<typeof cap>, used: Amounts, name: string) =>
    counted.flatMap((what) => {
      const most = limits?.[what];
      return most !== undefined && used[what] + plan[what] > most
        ? [`above the cap of ${what} per ${name}, ${most}`]
        : [];
    });
  const found = over(caps.plan, { records: 0, fees: 0, cod: 0 }, 'plan');
  for (const name of ['hour', 'day'] as const)
    found.push(...over(caps[name], await reservedSince(sql, now - windows[name]), name));
  return found[0];
}

const isNamed = (names: readonly string[] | undefined, own: readonly string[]) =>
  names === undefined || own.some((name) => names.includes(name));

/** Decides about a plan that would be carried out now, with everything that was reserved until now. */
export async function decided(plan: Judged, { policy }: PolicyInForce, sql: Sql, now: number): Promise<Decision> {
  if (policy === undefined) return { by: 'person', why: 'there is no policy' };
  if (policy.approve?.some((rule) => rule.command === plan.command))
    return { by: 'person', why: 'the policy asks for an approval' };
  const isAllowed = policy.allow?.some(
    (rule) =>
      rule.command === plan.command &&
      isNamed(rule.shops, plan.shops) &&
      plan.carriers.every((carrier) => isNamed(rule.carriers, [carrier])),
  );
  if (isAllowed !== true) return { by: 'nobody', why: 'the policy does not name it' };
  const passed = await passedCap(plan, policy, sql, now);
  return passed === undefined ? { by: 'policy', why: 'within the policy' } : { by: 'person', why: passed };
}
