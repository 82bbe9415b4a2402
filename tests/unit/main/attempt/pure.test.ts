import { describe, expect, it } from "vitest";
import { maskValues } from "../../../../main/attempt/masking.ts";
import { attemptLimitMs, LIMIT_MARGIN_MS, startLimit } from "../../../../main/attempt/time-limit.ts";
import { workFolderOf } from "../../../../main/attempt/work-folder.ts";

describe("the parent's limit of an attempt (orchestration W-25)", () => {
  it("is the runner's own plus a margin, or none", () => {
    expect(attemptLimitMs(3600, LIMIT_MARGIN_MS)).toBe(3_720_000);
    expect(attemptLimitMs(null, LIMIT_MARGIN_MS)).toBeNull();
  });

  it("comes due, and not at once however long it is", async () => {
    const order: string[] = [];
    const takeBack = startLimit(2 ** 40, () => order.push("a limit of decades"));
    await new Promise<void>((resolve) => {
      startLimit(1, () => {
        order.push("a limit of a millisecond");
        resolve();
      });
    });
    takeBack();
    expect(order).toEqual(["a limit of a millisecond"]);
  });
});

describe("masking what a runner prints (execution-contract §11)", () => {
  it("replaces every value of the environment, longest first, and leaves short words", () => {
    const env = { TOKEN: "abcdefgh", LONGER: "abcdefgh-ijkl", WORD: "error" };
    expect(maskValues("error: abcdefgh-ijkl and abcdefgh", env)).toBe("error: *** and ***");
  });
});

describe("the folder of an attempt (execution-contract §4.1)", () => {
  it("turns what a file name cannot hold into underscores", () => {
    expect(workFolderOf("/jobs", "a:b")).toEqual({
      name: "a_b",
      root: "/jobs/a_b",
      cwd: "/jobs/a_b/cwd",
      resultPath: "/jobs/a_b/metadata/a_b.json",
      stdoutPath: "/jobs/a_b/stdout.log",
      stderrPath: "/jobs/a_b/stderr.log",
    });
  });
});
