import { describe, expect, it } from "vitest";
import { createCloudRunQuestion } from "../../../../main/console/cloud-run.ts";

const EXECUTION = "projects/p/locations/l/jobs/j/executions/e";
const answering =
  (body: unknown, status = 200) =>
  async (): Promise<Response> =>
    new Response(typeof body === "string" ? body : JSON.stringify(body), { status });

describe("whether a cloud execution has ended (orchestration §3.5)", () => {
  it.each([
    [{ name: EXECUTION, completionTime: "2026-09-01T00:03:00Z" }, "ended"],
    [{ name: EXECUTION, completionTime: "2026-09-01T00:03:00Z", state: "FAILED" }, "ended"],
    [{ name: EXECUTION, completionTime: "2026-09-01T00:03:00Z", state: "RUNNING" }, "running"],
    [{ name: EXECUTION }, "running"],
    [{ name: EXECUTION, completionTime: "soon" }, "running"],
    [
      { name: "projects/p/locations/l/jobs/j/executions/other", completionTime: "2026-09-01T00:03:00Z" },
      "unknown",
    ],
    ["<html>", "unknown"],
  ])("%j: %s", async (body, kind) => {
    expect(await createCloudRunQuestion("token", answering(body))(EXECUTION)).toMatchObject({ kind });
  });

  it("is not known without a token, without permission and without an answer, and never tells the token", async () => {
    expect(await createCloudRunQuestion(null)(EXECUTION)).toMatchObject({ kind: "unknown" });
    expect(await createCloudRunQuestion("t", answering({}, 403))(EXECUTION)).toMatchObject({
      kind: "unknown",
    });
    const broken = createCloudRunQuestion("very-secret", async () => {
      throw new Error("no route");
    });
    const answer = await broken(EXECUTION);
    expect(answer).toMatchObject({ kind: "unknown" });
    expect(JSON.stringify(answer)).not.toContain("very-secret");
  });
});
