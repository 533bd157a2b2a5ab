import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Account } from '../client/account.ts';
import type { Clock } from '../platform/clock.ts';
import { errorCode } from '../platform/error-code.ts';
import type { Files } from '../platform/files.ts';
import type { Answer } from './ship/answers.ts';
import type { OrderDraft } from './ship/order-draft.ts';

/** Where a draft is sent: an order of one account is another one elsewhere. */
export interface DraftTarget {
  /** The operation that creates it. */
  readonly operation: string;
  readonly base_url: string;
  readonly account: Account;
}

/** The service that somebody agreed to. */
export interface AcceptedService {
  readonly code: string;
  readonly fee: number;
}

/**
 * What becomes of a draft: `open` until it is sent; `sending` from before the request until its answer is known, so that
 * a draft found in it may have shipped; `sent` when its answer was read; `answered` when stdout took the last byte of it;
 * `failed` where it surely was not applied.
 */
export type DraftState = 'open' | 'sending' | 'sent' | 'answered' | 'failed';

const states: readonly string[] = ['open', 'sending', 'sent', 'answered', 'failed'] satisfies readonly DraftState[];

/** Whether a draft may have made an order of which nobody was told. */
export function isUnsettled({ state }: { readonly state: DraftState }): boolean {
  return state === 'sending' || state === 'sent';
}

/** An order on its way to the service, as it lies on the disk. */
export interface ShipDraft {
  readonly version: 2;
  /** From the moment that it is sent its order's identity (`orderIdentity`): one order has one draft. */
  readonly id: string;
  readonly state: DraftState;
  readonly external_id: string;
  readonly target: DraftTarget;
  readonly created_at: string;
  readonly updated_at: string;
  /** Whether it began as a whole order, and not with questions about everything. */
  readonly from_input: boolean;
  /** The order as it was given. */
  readonly order: OrderDraft;
  /** What was answered since, in order. */
  readonly answers: readonly Answer[];
  readonly accepted?: AcceptedService | undefined;
  /** What is being sent or was sent, whole. */
  readonly request?: OrderDraft | undefined;
  readonly order_id?: string | undefined;
  /** What the service answered, where it is not too large to keep. */
  readonly answer?: unknown;
  /** When stdout had taken the answer. */
  readonly answered_at?: string | undefined;
  /** The id that it had, and that somebody was told, before it was sent under that of its order. */
  readonly former?: string | undefined;
  /** Whether it was sent as it was given, by a command that chooses nothing. */
  readonly raw?: boolean | undefined;
  readonly failure?: { readonly code: string; readonly message: string } | undefined;
}

/** Thrown when a draft cannot be used: there is none of that name, it is damaged, or another shopctl is at it. */
export class DraftError extends Error {
  readonly kind = 'usage';
  readonly code: 'draft_not_found' | 'draft_damaged' | 'draft_busy' | 'draft_elsewhere' | 'draft_unsettled';
  /** What a front words its advice with: `draft`, its id, and of one that was made elsewhere where. */
  readonly facts: Readonly<Record<string, string>>;

  constructor(code: DraftError['code'], message: string, facts: DraftError['facts'] = {}) {
    super(message);
    this.name = 'DraftError';
    this.code = code;
    this.facts = facts;
  }
}

/** An id for a draft that has no order's identity, or not any more: made of its external id, which nobody else has. */
export function ownId(external_id: string): string {
  return createHash('sha256').update(`draft ${external_id}`).digest('hex').slice(0, 10);
}

/** The drafts of a state directory; personal data, so mode 0600 in directories of 0700. */
export interface DraftStore {
  /** The draft of that id; undefined where there is none. */
  find(id: string): Promise<ShipDraft | undefined>;
  /** The one draft whose id begins so; throws a DraftError where there is none or several. */
  named(beginning: string): Promise<ShipDraft>;
  /** The drafts whose answer nobody was told yet, or all of them; the latest first. Damaged ones stand in `damaged`. */
  list(which: 'unsent' | 'all'): Promise<ShipDraft[]>;
  /** The ids of the drafts that cannot be read. Nobody knows what became of their orders. */
  damaged(): Promise<string[]>;
  /** Writes it, whole and safely on the disk before it resolves, and gives it back with its time. */
  save(draft: ShipDraft): Promise<ShipDraft>;
  /** As `save`, for a draft that is still being made: throws a DraftError where another process has sent it meanwhile. */
  keep(draft: ShipDraft): Promise<ShipDraft>;
  remove(id: string): Promise<void>;
  /** Lets nobody else at a draft until it is released. */
  lock(id: string, timeoutMs: number): Promise<() => void>;
  /** The answered draft of that id, though a newer one of the same order may be under way. */
  answered(id: string): Promise<ShipDraft | undefined>;
  /** Where the input file of a sent draft lies. */
  inputPath(id: string): string;
  /** Writes the input file, and tells where. */
  saveInput(id: string, order: object): Promise<string>;
  /** Removes sent drafts that are older than 30 days. */
  prune(): Promise<void>;
}

const KEPT_DAYS = 30;
const KEEPING_WAITS_MS = 5_000;
const ID = /^[0-9a-f]{10}$/;

function isDraft(value: unknown): value is ShipDraft {
  const { version, id, state, external_id, target, answers, order } = (value ?? {}) as Partial<ShipDraft>;
  return (
    version === 2 &&
    typeof id === 'string' &&
    ID.test(id) &&
    typeof external_id === 'string' &&
    states.includes(String(state)) &&
    typeof target?.base_url === 'string' &&
    typeof target.account?.shop === 'string' &&
    Array.isArray(answers) &&
    typeof order === 'object' &&
    order !== null
  );
}

/**
 * The drafts below a state directory. What is answered lies apart from what is not, so that looking for an unfinished one
 * stays quick; an answered one is written there before the other is removed, and the other wins where a crash has left both.
 */
export function draftStore(stateDirectory: string, files: Files, clock: Clock): DraftStore {
  const unsent = join(stateDirectory, 'drafts');
  const sent = join(unsent, 'sent');
  const pathOf = (directory: string, id: string) => join(directory, `${id}.json`);
  const inputPath = (id: string) => join(sent, `${id}.order.json`);

  async function read(path: string): Promise<ShipDraft | undefined> {
    let text: string;
    try {
      text = await files.read(path);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      value = undefined;
    }
    if (isDraft(value)) return value;
    throw new DraftError(
      'draft_damaged',
      `${path} is not a draft that this version can read, so what became of its order is unknown`,
    );
  }

  async function idsIn(directory: string): Promise<string[]> {
    const names = (await files.list(directory)).map((name) => /^([0-9a-f]{10})\.json$/.exec(name)?.[1]);
    return names.filter((id) => id !== undefined);
  }

  async function readAll(directory: string): Promise<ShipDraft[]> {
    const read = await Promise.all((await idsIn(directory)).map((id) => find(id).catch(() => undefined)));
    return read.filter((draft) => draft !== undefined);
  }

  async function find(id: string): Promise<ShipDraft | undefined> {
    return (await read(pathOf(unsent, id))) ?? (await read(pathOf(sent, id)));
  }

  async function remove(id: string): Promise<void> {
    for (const path of [pathOf(unsent, id), pathOf(sent, id), inputPath(id)]) await files.remove(path);
  }

  async function save(draft: ShipDraft): Promise<ShipDraft> {
    const saved = { ...draft, updated_at: new Date(clock.now()).toISOString() };
    const directory = draft.state === 'answered' ? sent : unsent;
    await files.write(pathOf(directory, draft.id), `${JSON.stringify(saved, undefined, 2)}\n`, 0o600);
    if (draft.state === 'answered') await files.remove(pathOf(unsent, draft.id));
    return saved;
  }

  async function lock(id: string, timeoutMs: number): Promise<() => void> {
    try {
      return await files.lock(join(unsent, `${id}.lock`), timeoutMs);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'LockError') throw error;
      throw new DraftError('draft_busy', `draft ${id} is in use: ${error.message}`);
    }
  }

  return {
    find,
    save,
    remove,
    lock,
    inputPath,
    async keep(draft) {
      const release = await lock(draft.id, KEEPING_WAITS_MS);
      try {
        const state = (await find(draft.id))?.state ?? 'open';
        // An answered one lies apart: the next order like it may be in the making beside it.
        if (state === 'open' || state === 'failed' || state === 'answered') return await save(draft);
        throw new DraftError('draft_busy', `draft ${draft.id} is ${state} by another shopctl`);
      } finally {
        release();
      }
    },
    async named(beginning) {
      const all = [...new Set([...(await idsIn(unsent)), ...(await idsIn(sent))])];
      const [id, another] = all.filter((candidate) => candidate.startsWith(beginning.toLowerCase()));
      const draft = id === undefined || another !== undefined ? undefined : await find(id);
      if (draft !== undefined) return draft;
      if (id === undefined) {
        const known = [...(await readAll(unsent)), ...(await readAll(sent))];
        const [sentAs] = known.filter(({ former }) => former?.startsWith(beginning.toLowerCase()));
        if (sentAs !== undefined) return sentAs;
      }
      const what = another === undefined ? 'there is not a draft' : 'there are several drafts';
      throw new DraftError('draft_not_found', `${what} ${beginning}`);
    },
    async list(which) {
      const drafts = [...(await readAll(unsent)), ...(which === 'all' ? await readAll(sent) : [])];
      const unique = [...new Map(drafts.map((draft) => [draft.id, draft])).values()];
      const listed = which === 'all' ? unique : unique.filter(({ state }) => state !== 'answered');
      return listed.sort((one, other) => (one.updated_at < other.updated_at ? 1 : -1));
    },
    async damaged() {
      const ids = [...new Set([...(await idsIn(unsent)), ...(await idsIn(sent))])];
      const isDamaged = (error: unknown) => error instanceof DraftError && error.code === 'draft_damaged';
      const found = await Promise.all(
        ids.map((id) =>
          find(id).then(
            () => undefined,
            (error) => (isDamaged(error) ? id : undefined),
          ),
        ),
      );
      return found.filter((id) => id !== undefined);
    },
    answered: (id) => read(pathOf(sent, id)),
    async saveInput(id, order) {
      await files.write(inputPath(id), `${JSON.stringify(order, undefined, 2)}\n`, 0o600);
      return inputPath(id);
    },
    async prune() {
      const oldest = new Date(clock.now() - KEPT_DAYS * 24 * 3_600_000).toISOString();
      for (const draft of await readAll(sent)) if (draft.updated_at < oldest) await remove(draft.id);
    },
  };
}
