import * as z from 'zod';
import type { ConformanceFinding } from './notebook.ts';

const acceptance = z.object({
  check: z.string(),
  operation: z.string(),
  path: z.string(),
  /** Why the deviation is accepted. */
  reason: z.string().min(1),
  /** The last day on which it is, as YYYY-MM-DD. */
  until: z.iso.date(),
});

/** A finding that somebody accepted, for a reason and until a day. */
export type Acceptance = z.output<typeof acceptance>;

const file = z.array(acceptance);

/** Thrown for a file of accepted findings that is none. */
export class AcceptedFileError extends Error {
  readonly kind = 'request';
  readonly code = 'invalid_request';
  readonly outcome = 'not_applied';

  constructor(message: string) {
    super(message);
    this.name = 'AcceptedFileError';
  }
}

/** Reads accepted findings: a JSON list, each with check, operation, path, reason and until. Throws AcceptedFileError. */
export function readAccepted(text: string): readonly Acceptance[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AcceptedFileError('The file of accepted findings is not JSON.');
  }
  const read = file.safeParse(value);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  const where = first?.path.join('.') ?? '';
  throw new AcceptedFileError(
    `Accepted findings need check, operation, path, a reason and a date until (YYYY-MM-DD): ${where} ${first?.message ?? ''}`,
  );
}

/** A finding with the acceptance that covers it, if one does. */
export interface Judged extends ConformanceFinding {
  /** Why it is accepted; null if it is not, or no longer. */
  readonly accepted: string | null;
  /** The day on which its acceptance ended. */
  readonly expired: string | null;
}

/** Which findings are accepted today (YYYY-MM-DD). */
export function withAcceptances(
  findings: readonly ConformanceFinding[],
  acceptances: readonly Acceptance[],
  today: string,
): readonly Judged[] {
  return findings.map((finding) => {
    const own = acceptances.filter(
      ({ check, operation, path }) =>
        check === finding.check && operation === finding.operation && path === finding.path,
    );
    const valid = own.find(({ until }) => until >= today);
    return {
      ...finding,
      accepted: valid?.reason ?? null,
      expired: valid === undefined ? (own[0]?.until ?? null) : null,
    };
  });
}
