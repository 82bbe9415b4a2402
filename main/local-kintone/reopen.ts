import type { Services } from "./api/services.ts";
import { createServices, type OwnedServices } from "./assemble.ts";
import type { LocalKintoneOptions } from "./options.ts";

/** The services of one database file, and what closes them. */
export interface OpenStore {
  readonly services: Services;
  /** Closes the file, runs `work` on it, and opens it again under the same services. */
  whileClosed(work: (path: string) => void): void;
  dispose(): void;
}

/**
 * Opens the store. `replaceable` services lead to those of the file that is open now, because many hold on to them
 * while a restore puts another file in place; without it they are the plain objects, which cost nothing.
 */
export function openStore(options: LocalKintoneOptions, replaceable: boolean): OpenStore {
  let current: OwnedServices = createServices(options);
  const services: Services = replaceable
    ? new Proxy<Services>(current, { get: (_, key) => Reflect.get(current, key) })
    : current;
  return {
    services,
    whileClosed(work) {
      const { path } = current.database;
      // How the server deviates is no part of the file.
      const { switches } = current;
      current.dispose();
      try {
        work(path);
      } finally {
        current = createServices({ ...options, switches });
      }
    },
    dispose: () => current.dispose(),
  };
}
