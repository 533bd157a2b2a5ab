/** A notification that there may be something new. */
export interface ChangeSignal {
  ring(): void;
  /** Resolves with the next ring, immediately if it rang since the last wait. */
  heard(): Promise<void>;
}

/** Creates a bell. */
export function createChangeSignal(): ChangeSignal {
  let isRung = false;
  let hear: (() => void) | undefined;
  return {
    ring() {
      isRung = true;
      hear?.();
    },
    async heard() {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          hear = resolve;
        });
      }
      isRung = false;
      hear = undefined;
    },
  };
}
