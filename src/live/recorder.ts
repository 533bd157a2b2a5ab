import type { Deviating } from '../client/connection.ts';
import { compared, type Deviation, type DriftKind } from '../contract/deviations.ts';
import { DAY_MS } from '../domain/calendar.ts';
import type { Files } from '../platform/files/files.ts';
import type { Clock } from '../platform/process/clock.ts';
import { type DriftFinding, driftPath, findingId, type Noted, rewriteFindings, storedFindings } from './findings.ts';

/** Beyond this size the file is rewritten with one line per finding. */
const REWRITTEN_BYTES = 256 * 1024;

/** One run that compares each operation this often counts no further answers of it: the first ones say it all. */
const MOST_COMPARED = 1000;

/** What a recorder needs of the machine. */
export interface DriftMachine {
  readonly files: Files;
  readonly clock: Clock;
  /** The directory of the file. */
  readonly state: string;
}

/** What is noted of an answer. */
type Seen = Omit<Deviation, 'kind'> & { readonly kind: DriftKind };

const unchecked = (seen: string): Seen => ({ path: '', kind: 'unchecked', expected: 'a comparison to the end', seen });

/** The deviations of an answer; one that is no JSON, or no answer of the contract, is one deviation of the whole body. */
function seenIn({ operation, answer, fault }: Deviating): readonly Seen[] {
  if (answer !== undefined) {
    const { deviations, isWhole } = compared(operation, answer());
    return isWhole ? deviations : [...deviations, unchecked('more deviations than are compared')];
  }
  return [{ path: '', kind: 'breaks', expected: 'a JSON object', seen: fault ?? 'something else' }];
}

/**
 * Counts how the answers of one run differ from the contract, and appends what is new to the file of findings at once,
 * the counts when the run ends. Nothing is opened as long as nothing deviates. No failure of it concerns the run.
 */
export class DriftRecorder {
  readonly #machine: DriftMachine;
  readonly #path: string;
  readonly #noted = new Map<string, Noted>();
  readonly #compared = new Map<string, number>();
  #writing: Promise<unknown> = Promise.resolve();

  constructor(machine: DriftMachine) {
    this.#machine = machine;
    this.#path = driftPath(machine.state);
  }

  /** Takes note of one deviating answer of the service at an origin. */
  see(service: string, seen: Deviating): void {
    const { id } = seen.operation;
    const before = this.#compared.get(id) ?? 0;
    this.#compared.set(id, before + 1);
    const isEnough = before >= MOST_COMPARED;
    const at = new Date(this.#machine.clock.now()).toISOString();
    const fresh: Noted[] = [];
    for (const deviation of isEnough ? [unchecked('more deviating answers than are compared')] : seenIn(seen)) {
      const note = { service, operation: id, ...deviation };
      const key = findingId(note);
      const known = this.#noted.get(key);
      if (known === undefined) fresh.push({ ...note, first: at, last: at, times: 1 });
      this.#noted.set(key, {
        ...note,
        first: known?.first ?? at,
        last: at,
        times: known === undefined ? 0 : known.times + 1,
      });
    }
    if (fresh.length > 0) this.#append(fresh);
  }

  #append(lines: readonly object[]): void {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    this.#writing = this.#writing.then(() => this.#machine.files.append(this.#path, text));
  }

  /**
   * Writes the counts, and returns what a person has not been told yet and shopctl cannot use, at most once a day.
   */
  async end(): Promise<readonly DriftFinding[]> {
    const counts = [...this.#noted.values()].filter(({ times }) => times > 0);
    if (counts.length > 0) this.#append(counts);
    try {
      const size = await this.#writing;
      const isNew = await this.#newOnes();
      if (typeof size === 'number' && size > REWRITTEN_BYTES)
        await rewriteFindings(this.#path, this.#machine.files, () => true);
      return isNew;
    } catch {
      return [];
    }
  }

  async #newOnes(): Promise<readonly DriftFinding[]> {
    const breaking = [...this.#noted].filter(([, { kind }]) => kind === 'breaks');
    if (breaking.length === 0) return [];
    const { clock, files } = this.#machine;
    const { findings, reportedAt } = await storedFindings(this.#path, files);
    const fresh = findings.filter(({ id, first_seen }) => this.#noted.get(id)?.first === first_seen);
    const news = fresh.filter(({ kind }) => kind === 'breaks');
    const isReported = reportedAt !== undefined && clock.now() - Date.parse(reportedAt) < DAY_MS;
    if (news.length === 0 || isReported) return [];
    await files.append(this.#path, `${JSON.stringify({ reported: new Date(clock.now()).toISOString() })}\n`);
    return news;
  }
}
