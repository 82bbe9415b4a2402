import type { Server } from "node:http";
import { FlowError, type Problem } from "../../shared/api/index.ts";

/** Binds a server and returns its port. Errors: `FlowError` `PORT_BUSY`, `PORT_REFUSED`. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  const listening = Promise.withResolvers<number>();
  const refused = (cause: NodeJS.ErrnoException): void => {
    listening.reject(new FlowError(bindProblem(cause.code, `${host}:${port}`), cause));
  };
  server.once("error", refused);
  server.listen({ host, port, exclusive: true }, () => {
    server.off("error", refused);
    const address = server.address();
    if (address === null || typeof address === "string") {
      listening.reject(new Error("the console listens on no TCP address"));
    } else {
      listening.resolve(address.port);
    }
  });
  return listening.promise;
}

function bindProblem(code: string | undefined, place: string): Problem {
  if (code === "EADDRINUSE") {
    return {
      code: "PORT_BUSY",
      message: "Another program listens on the console's port; the pages cannot be served there.",
      place,
      remedy: "Give another port with --port, or end the program that holds it.",
    };
  }
  return {
    code: "PORT_REFUSED",
    message: `The system does not let the console listen there (${code ?? "no reason given"}).`,
    place,
    remedy: "Give another port with --port; ports below 1024 may need rights the console should not have.",
  };
}
