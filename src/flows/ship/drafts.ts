import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Account } from '../../client/account.ts';
import type { Files } from '../../platform/files/files.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { errorCode } from '../../platform/process/error-code.ts';
import type { Answer } from './conversation/answers.ts';
import type { OrderDraft } from './order-draft.ts';

/** Where a draft is sent: the same order under another account is a different order. */
export interface DraftTarget {
  /** The operation that creates it. */
  readonly operation: string;
  readonly base_url: string;
  readonly account: Account;
}

/** The service that the user agreed to. */
export interface AcceptedService {
  readonly code: string;
  readonly fee: number;
}

/**
 * The state of a draft: `open` until it is sent; `sending` from before the request until its answer is known, so a
 * draft found in this state may have shipped; `sent` once its answer was read; `answered` once stdout has taken the
 * last byte of it; `failed` if it certainly was not applied.
 */
export type DraftState = 'open' | 'sending' | 'sent' | 'answered' | 'failed';

const states: readonly string[] = ['open', 'sending', 'sent', 'answered', 'failed'] satisfies readonly DraftState[];

/** Whether a draft may have created an order that was not reported to anyone. */
export function isUnsettled({ state }: { readonly state: DraftState }): boolean {
  return state === 'sending' || state === 'sent';
}

/** An order on its way to the service, as stored on disk. */
export interface ShipDraft {
  readonly version: 2;
  /** Once sent, the identity of its order (`orderIdentity`): one order has one draft. */
  readonly id: string;
  readonly state: DraftState;
  readonly external_id: string;
  readonly target: DraftTarget;
  readonly created_at: string;
  readonly updated_at: string;
  /** Whether it started from a complete order rather than from questions about everything. */
  readonly from_input: boolean;
  /** The order as it was given. */
  readonly order: OrderDraft;
  /** The answers given since, in order. */
  readonly answers: readonly Answer[];
  readonly accepted?: AcceptedService | undefined;
  /** The complete request that is being sent or was sent. */
  readonly request?: OrderDraft | undefined;
  readonly order_id?: string | undefined;
  /** The service's answer, unless it is too large to keep. */
  readonly answer?: unknown;
  /** When stdout had taken the answer. */
  readonly answered_at?: string | undefined;
  /** The id under which it was reported to the user, before it was sent under its order's identity. */
  readonly former?: string | undefined;
  /** Whether it was sent as given, by a command that chooses nothing. */
  readonly raw?: boolean | undefined;
  readonly failure?: { readonly code: string; readonly message: string } | undefined;
}

/** Thrown if a draft cannot be used: it does not exist, is damaged, or is in use by another shopctl process. */
export class DraftError extends Error {
  readonly kind = 'usage';
  readonly code: 'draft_not_found' | 'draft_damaged' | 'draft_busy' | 'draft_elsewhere' | 'draft_unsettled';
  /** Facts for a user interface to word its advice with: `draft`, its id, and for a draft made elsewhere, where. */
  readonly facts: Readonly<Record<string, string>>;

  constructor(code: DraftError['code'], message: string, facts: DraftError['facts'] = {}) {
    super(message);
    this.name = 'DraftError';
    this.code = code;
    this.facts = facts;
  }
}

/** The id of a draft without its order's identity: derived from its external id, which is unique. */
export function ownId(external_id: string): string {
  return createHash('sha256').update(`draft ${external_id}`).digest('hex').slice(0, 10);
}

/** The drafts in a state directory; they are personal data, so mode 0600 in directories of 0700. */
export interface DraftStore {
  /** The draft of that id; undefined if there is none. */
  find(id: string): Promise<ShipDraft | undefined>;
  /** The only draft whose id starts with this text; throws a DraftError if there is none or more than one. */
  named(beginning: string): Promise<ShipDraft>;
  /** The drafts whose answer was not reported yet, or all of them; the latest first. Damaged ones are in `damaged`. */
  list(which: 'unsent' | 'all'): Promise<ShipDraft[]>;
  /** The ids of unreadable drafts. The outcome of their orders is unknown. */
  damaged(): Promise<string[]>;
  /** Writes it completely, flushed to disk before it resolves, and returns it with its time. */
  save(draft: ShipDraft): Promise<ShipDraft>;
  /**
   * Like `save`, for a draft that is still being made: throws a DraftError if another process has sent it meanwhile.
   */
  keep(draft: ShipDraft): Promise<ShipDraft>;
  remove(id: string): Promise<void>;
  /** Locks a draft until it is released. */
  lock(id: string, timeoutMs: number): Promise<() => void>;
  /** The answered draft of that id, even if a newer one of the same order is in progress. */
  answered(id: string): Promise<ShipDraft | undefined>;
  /** The path of a sent draft's input file. */
  inputPath(id: string): string;
  /** Writes the input file, and returns its path. */
  saveInput(id: string, order: object): Promise<string>;
  /** Removes sent drafts older than 30 days. */
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
 * The drafts below a state directory. Answered drafts are stored separately, so that finding an unfinished one stays
 * fast; an answered one is written there before the other file is removed, and if a crash left both, the other file
 * wins.
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
        // Answered drafts are stored separately: beside one, the next equal order may be in the making.
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
