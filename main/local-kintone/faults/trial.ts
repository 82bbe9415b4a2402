import type { Services } from "../api/services.ts";

/** Carries a result out of a transaction that must not be kept. */
class TrialOver extends Error {
  override readonly name = "TrialOver";
}

function resultOf<T>(error: unknown, done: { readonly result: T } | null): T {
  if (error instanceof TrialOver && done !== null) return done.result;
  throw error;
}

/**
 * The services with every write undone at its end (F3). Endpoints do their work inside one synchronous transaction, so
 * "between check and write, with no transaction open" cannot be a pause inside them: instead the request runs once on
 * trial, is held when every check passed, and then runs in earnest. What changed meanwhile makes it lose there, as it
 * would between the check and the compare-and-set of the real service.
 */
export function onTrial(services: Services): Services {
  const { database, usage, switches } = services;
  function write<T>(work: () => T): T {
    let done: { readonly result: T } | null = null;
    // A search must not remember what a trial replaced.
    const { likeIndexLagMs } = switches;
    switches.likeIndexLagMs = 0;
    try {
      return database.write(() => {
        done = { result: work() };
        throw new TrialOver();
      });
    } catch (error) {
      return resultOf(error, done);
    } finally {
      switches.likeIndexLagMs = likeIndexLagMs;
    }
  }
  return {
    ...services,
    database: { ...database, write },
    usage: { ...usage, count: () => 0 },
  };
}
