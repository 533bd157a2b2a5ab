import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { driftKinds } from '../contract/deviations.ts';
import { FileError, type Files } from '../platform/files/files.ts';

const noted = z.object({
  /** Origin of the service, for example `https://shop.example`. */
  service: z.string(),
  operation: z.string(),
  path: z.string(),
  kind: z.enum(driftKinds),
  expected: z.string(),
  seen: z.string(),
  /** When it was first and last seen within this line, as ISO 8601. */
  first: z.string(),
  last: z.string(),
  times: z.number(),
});

/** One line of the file of findings: a deviation and how often it was seen by one run, or by several. */
export type Noted = z.output<typeof noted>;

const reported = z.object({
  /** When a person was last told of something new. */
  reported: z.string(),
});

/** A deviation as it is listed: everything that the lines about it say together. */
export interface DriftFinding {
  /** Short and stable: derived from the service, the operation, the path and the kind. */
  readonly id: string;
  readonly kind: Noted['kind'];
  readonly operation: string;
  readonly path: string;
  readonly expected: string;
  readonly seen: string;
  readonly times: number;
  readonly first_seen: string;
  readonly last_seen: string;
  readonly service: string;
}

/** The findings in a file, and when a person was last told of a new one. */
export interface Noticed {
  readonly findings: readonly DriftFinding[];
  readonly reportedAt?: string | undefined;
}

/** The id of a finding. */
export function findingId({ service, operation, path, kind }: Pick<Noted, 'service' | 'operation' | 'path' | 'kind'>) {
  return createHash('sha256').update([service, operation, path, kind].join('\n')).digest('hex').slice(0, 8);
}

/** Far more than a service deviates; a file that somebody else fills does not fill the memory. */
const MOST_FINDINGS = 5000;

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // A process that ended while it wrote leaves half a line.
    return undefined;
  }
}

const inOrder = (one: DriftFinding, other: DriftFinding) =>
  driftKinds.indexOf(one.kind) - driftKinds.indexOf(other.kind) ||
  (one.last_seen < other.last_seen ? 1 : one.last_seen > other.last_seen ? -1 : one.id < other.id ? -1 : 1);

const earlier = (one: string, other: string) => (one < other ? one : other);
const later = (one: string, other: string) => (one > other ? one : other);

/** Adds up the lines of a file; what is no line of it is skipped. The gravest come first, then the latest. */
export function readFindings(text: string): Noticed {
  const found = new Map<string, DriftFinding>();
  let reportedAt: string | undefined;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const value = parsed(line);
    const mark = reported.safeParse(value);
    if (mark.success) reportedAt = later(mark.data.reported, reportedAt ?? '');
    const read = noted.safeParse(value);
    if (!read.success) continue;
    const { first, last, times, ...deviation } = read.data;
    const id = findingId(deviation);
    const known = found.get(id);
    if (known === undefined && found.size >= MOST_FINDINGS) continue;
    const sum = { times: times + (known?.times ?? 0) };
    const seen = {
      first_seen: earlier(first, known?.first_seen ?? first),
      last_seen: later(last, known?.last_seen ?? last),
    };
    found.set(id, { id, ...deviation, ...sum, ...seen });
  }
  return { findings: [...found.values()].sort(inOrder), reportedAt };
}

/** The lines of findings, one each, ending with a line feed. */
export function writeFindings({ findings, reportedAt }: Noticed): string {
  const lines = findings.map(
    ({ id: _, first_seen: first, last_seen: last, ...rest }): Noted => ({ ...rest, first, last }),
  );
  return [...lines, ...(reportedAt === undefined ? [] : [{ reported: reportedAt }])]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

/** The file of findings in the state directory. */
export const driftPath = (state: string) => join(state, 'drift.jsonl');

/** How long to wait for another process that rewrites the file. */
const LOCK_MS = 5000;

/** Everything that was noticed; nothing if there is no file. Throws a FileError. */
export async function storedFindings(path: string, files: Files): Promise<Noticed> {
  try {
    return readFindings(await files.read(path));
  } catch (error) {
    if (error instanceof FileError && error.code === 'ENOENT') return { findings: [] };
    throw error;
  }
}

/**
 * Rewrites the file with the findings that `keep` accepts, each in one line, and returns the others. A line that another
 * process appends at that very moment may be lost: it is a count, and will be seen again.
 */
export async function rewriteFindings(
  path: string,
  files: Files,
  keep: (finding: DriftFinding) => boolean,
): Promise<readonly DriftFinding[]> {
  const release = await files.lock(`${path}.lock`, LOCK_MS);
  try {
    const { findings, reportedAt } = await storedFindings(path, files);
    const kept = findings.filter(keep);
    if (kept.length === 0) await files.remove(path);
    else await files.write(path, writeFindings({ findings: kept, reportedAt }));
    return findings.filter((finding) => !keep(finding));
  } finally {
    release();
  }
}
