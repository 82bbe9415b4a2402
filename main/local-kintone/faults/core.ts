import type { Services } from "../api/services.ts";
import type { Listening } from "../http/listen.ts";
import type { KintoneRequest, KintoneResponse } from "../model.ts";

/** What faults may do with the server they live in. */
export interface ServerCore {
  /** The services of the store that is open now; a restore puts others in their place. */
  services(): Services;
  /** Answers a request as a healthy server; with other services, on those. */
  serve(request: KintoneRequest, services?: Services): Promise<KintoneResponse>;
  /** Closes the store, runs `work` on its file, and opens it again. */
  whileClosed(work: (path: string) => void): void;
  /** Opens a further port whose requests carry this client label. */
  listen(client: string): Promise<Listening>;
}
