import { once } from "node:events";
import type { Server } from "node:http";

/** Listens on a free port of this host; which. */
export async function listenOnLocalhost(server: Server): Promise<number> {
  server.listen(0, "localhost");
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
