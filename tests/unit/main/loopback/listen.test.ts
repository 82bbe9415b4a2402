import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { createLoopback } from "../../../../main/loopback/index.ts";
import { FlowError } from "../../../../shared/domain/problem.ts";

describe("where the loopback front listens (toolchain §6)", () => {
  it("says PORT_BUSY with place and remedy when another program has the port", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    try {
      const attempt = createLoopback({
        api: { serve: () => undefined },
        staticDir: "/nowhere",
        port,
        clock: { monotonicMs: () => 0 },
        randomBytes: (size) => new Uint8Array(size),
        wait: () => Promise.resolve(),
      });
      const error = await attempt.catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(FlowError);
      if (!(error instanceof FlowError)) return;
      expect(error.problem).toMatchObject({ code: "PORT_BUSY", place: `127.0.0.1:${port}` });
      expect(error.problem.remedy).toContain("--port");
    } finally {
      other.close();
    }
  });
});
