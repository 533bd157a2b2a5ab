/** Something that happened at a moment; it may name what happened later. */
export interface SeedEvent {
  /** Milliseconds since 1970. */
  readonly at: number;
  happen(): readonly SeedEvent[];
}

/** Lets everything happen in the order of time; what is at one moment, in the order in which it was named. */
export function runTimeline(beginning: readonly SeedEvent[]): void {
  const ahead = [...beginning].sort((one, other) => one.at - other.at);
  for (let event = ahead.shift(); event !== undefined; event = ahead.shift()) {
    for (const later of event.happen()) {
      const place = ahead.findIndex(({ at }) => at > later.at);
      ahead.splice(place < 0 ? ahead.length : place, 0, later);
    }
  }
}
