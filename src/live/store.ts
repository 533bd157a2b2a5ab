import { join } from 'node:path';
import { FileError, type Files } from '../platform/files/files.ts';
import { type DriftFinding, type Noticed, readFindings, writeFindings } from './findings.ts';

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
