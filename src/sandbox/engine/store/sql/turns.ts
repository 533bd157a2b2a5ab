/**
 * Runs one piece of work at a time, first come, first served. Handlers are asynchronous and share one connection:
 * without this, two requests would run in the same transaction.
 */
export function createTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine;
    return mine;
  };
}
