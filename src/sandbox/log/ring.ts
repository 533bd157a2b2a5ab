import type { SeenRequest } from './entry.ts';

/** The newest requests, bounded in number and in characters. */
export interface Ring {
  add(seen: SeenRequest): void;
  /** The kept ones after that id, oldest first. */
  after(id: number): readonly SeenRequest[];
  /** The id of the newest; 0 before the first. */
  newest(): number;
}

/** In the place of a request that is no longer kept, so that its bodies are not either. */
const nothing: SeenRequest = {
  id: 0,
  at: 0,
  method: '',
  url: '',
  authorization: undefined,
  durationMs: 0,
  request: '',
  answer: undefined,
  arrived: false,
  faultId: undefined,
};

/** A ring that keeps at most so many requests, and so many characters of their bodies. */
export function createRing(mostEntries: number, mostCharacters: number): Ring {
  let kept: SeenRequest[] = [];
  /** Where the oldest that is still kept stands; what is before it is dropped now and then, all at once. */
  let oldest = 0;
  let characters = 0;
  let newest = 0;
  const sizeOf = ({ request, answer }: SeenRequest) => request.length + (answer?.body.length ?? 0);
  return {
    add(seen) {
      kept.push(seen);
      characters += sizeOf(seen);
      newest = seen.id;
      while (kept.length - oldest > mostEntries || (characters > mostCharacters && kept.length - oldest > 1)) {
        const gone = kept[oldest];
        if (gone !== undefined) characters -= sizeOf(gone);
        kept[oldest] = nothing;
        oldest += 1;
      }
      if (oldest > mostEntries) {
        kept = kept.slice(oldest);
        oldest = 0;
      }
    },
    after: (id) => kept.slice(oldest).filter((seen) => seen.id > id),
    newest: () => newest,
  };
}
