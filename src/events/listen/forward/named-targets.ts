import { createHash } from 'node:crypto';
import { changeType, entity } from '../../../contract/enums.ts';
import { say } from '../../actions/texts.ts';
import type { NamedTarget, Target } from '../../store/targets.ts';
import { faultOfTarget } from './target-address.ts';

/** Targets as a person gives them. */
export interface GivenTargets {
  /** `[ENTITY[.create|update|delete]=]URL`. */
  readonly forwardTo: readonly string[];
  /** A command line; none is run if absent. */
  readonly exec?: string | undefined;
  /** Names for them, in the same order; a target without one gets its name from its address. */
  readonly names: readonly string[];
  readonly accept: 'ok' | '2xx';
  readonly giveUpMs: number;
}

/** Thrown for an invalid target. */
export class TargetError extends Error {
  readonly path: 'forward_to' | 'target_name';

  constructor(path: TargetError['path'], message: string) {
    super(message);
    this.name = 'TargetError';
    this.path = path;
  }
}

const SPEC = /^(?:([a-z_]+)(?:\.([a-z]+))?=)?(https?:.*)$/i;
/** The name of the target that is a command line, unless another one has it. */
const EXEC = 'exec';
const NAME = /^[\w.:@/-]{1,100}$/;

/** The given targets, each with a name that is the same in the next run. Throws a TargetError. */
export function namedTargets({ forwardTo, exec, names, accept, giveUpMs }: GivenTargets): NamedTarget[] {
  const shared = { accept, give_up_ms: giveUpMs };
  const urls = forwardTo.map((spec): NamedTarget => ({ ...shared, ...targetOf(spec), kind: 'url' }));
  const commands: NamedTarget[] =
    exec === undefined
      ? []
      : [{ ...shared, name: EXEC, kind: 'command', address: exec, entity: null, change_type: null }];
  const all = [...urls, ...commands];
  if (names.length > all.length) throw new TargetError('target_name', say().targets.tooManyNames);
  const targets = all.map((target, index) => ({ ...target, name: names[index] ?? target.name }));
  for (const [index, { name }] of targets.entries()) {
    if (!NAME.test(name)) throw new TargetError('target_name', say().targets.nameForm);
    if (targets.findIndex((target) => target.name === name) < index) {
      throw new TargetError('target_name', say().targets.twoOfName({ name }));
    }
  }
  return targets;
}

function targetOf(spec: string): Pick<NamedTarget, 'name' | 'address' | 'entity' | 'change_type'> {
  const [, kind, type, address] = SPEC.exec(spec) ?? [];
  if (address === undefined) {
    const isBare = /^[\w.-]+(?::\d+)?(?:\/\S*)?$/.test(spec);
    const { form, formMeant } = say().targets;
    throw new TargetError('forward_to', isBare ? formMeant({ meant: `http://${spec}` }) : form);
  }
  if (kind !== undefined && !entity.some((known) => known === kind)) {
    throw new TargetError('forward_to', say().targets.noEntity({ entity: kind, names: entity }));
  }
  if (type !== undefined && !changeType.some((known) => known === type)) {
    throw new TargetError('forward_to', say().targets.noChange({ change: type, names: changeType }));
  }
  const fault = faultOfTarget(address);
  if (fault !== undefined) throw new TargetError('forward_to', fault);
  const filter = kind === undefined ? '' : `${kind}${type === undefined ? '' : `.${type}`}@`;
  return { name: `${filter}${nameOf(address)}`, address, entity: kind ?? null, change_type: type ?? null };
}

/**
 * The targets, where another command than that of an earlier run gets a name of its own: what the earlier one has not
 * accepted is not for it.
 */
export function withoutSharedCommand(
  targets: readonly NamedTarget[],
  known: readonly Pick<Target, 'name' | 'kind' | 'address'>[],
): NamedTarget[] {
  return targets.map((target) => {
    if (target.kind !== 'command' || target.name !== EXEC) return target;
    const own = `${EXEC}-${shortHash(target.address)}`;
    const before = known.find(({ name }) => name === EXEC);
    const isOwn = known.some(({ name }) => name === own) || (before !== undefined && before.address !== target.address);
    return isOwn ? { ...target, name: own } : target;
  });
}

/** The target that is meant: by its name, or by its address if only one has that. */
export function targetMeant<Known extends Pick<Target, 'name' | 'address'>>(
  given: string,
  known: readonly Known[],
): Known | undefined {
  const named = known.find(({ name }) => name === given);
  if (named !== undefined) return named;
  const there = known.filter(({ address }) => [given, `http://${given}`, `https://${given}`].includes(address));
  return there.length === 1 ? there[0] : undefined;
}

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 6);

/** A path of plain words, which cannot hold a secret. */
const PLAIN_PATH = /^(?:\/[a-z_-]{1,24}){0,3}\/?$/i;

/** A name derived from an address, without any part that may be secret. */
function nameOf(address: string): string {
  const { host: written, pathname, search } = new URL(address);
  const host = written.replaceAll(/[[\]]/g, '');
  if (search === '' && PLAIN_PATH.test(pathname)) return `${host}${pathname.replace(/\/$/, '')}`;
  return `${host}-${shortHash(address)}`;
}

/** An address that is safe to show: a path or query that may hold a secret is omitted. */
export function shownAddress({ kind, address }: Pick<NamedTarget, 'kind' | 'address'>): string {
  if (kind === 'command' || !URL.canParse(address)) return address;
  const { origin, pathname, search } = new URL(address);
  return search === '' && PLAIN_PATH.test(pathname) ? address : `${origin}/…`;
}
