/** One after the other: everything a holder writes goes through one queue, for the revision is a chain (fenced-writes §1). */
export interface SerialQueue {
  /** Runs `task` when all tasks before it have ended, however they ended. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** True while a task runs or waits. */
  busy(): boolean;
  /** Resolves when every task known now has ended. */
  settled(): Promise<void>;
}

/** An empty queue. */
export function createSerialQueue(): SerialQueue {
  let tail: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    run(task) {
      waiting += 1;
      const result = tail.then(task).finally(() => {
        waiting -= 1;
      });
      tail = result.then(
        () => undefined,
        () => undefined,
      );
      return result;
    },
    busy: () => waiting > 0,
    async settled() {
      await tail;
    },
  };
}
