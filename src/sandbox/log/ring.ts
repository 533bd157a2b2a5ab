import type { SeenRequest } from './entry.ts';

/** The newest requests, bounded in number and in characters. */
export interface Ring {
  add(seen: SeenRequest): void;
  /** The kept ones after that id, oldest first. */
  after(id: number): readonly SeenRequest[];
  /** The id of the newest; 0 before the first. */
  newest(): number;
}

/** A ring that keeps at most so many requests, and so many characters of their bodies. */
export function createRing(mostEntries: number, mostCharacters: number): Ring {
  const kept: SeenRequest[] = [];
  let characters = 0;
  let newest = 0;
  const sizeOf = ({ request, answer }: SeenRequest) => request.length + (answer?.body.length ?? 0);
  return {
    add(seen) {
      kept.push(seen);
      characters += sizeOf(seen);
      newest = seen.id;
      while (kept.length > mostEntries || (characters > mostCharacters && kept.length > 1)) {
        const oldest = kept.shift();
        if (oldest !== undefined) characters -= sizeOf(oldest);
      }
    },
    after: (id) => kept.filter((seen) => seen.id > id),
    newest: () => newest,
  };
}
