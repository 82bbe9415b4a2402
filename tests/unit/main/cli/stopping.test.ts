import { describe, expect, it } from "vitest";
import { type Abandonment, createStopping, SAME_REQUEST_MS } from "../../../../main/cli/stopping.ts";

function open() {
  let nowMs = 0;
  const said: string[] = [];
  const ended: Abandonment[] = [];
  const stopping = createStopping({
    monotonicMs: () => nowMs,
    err: (text) => void said.push(text),
    end: (abandonment) => void ended.push(abandonment),
  });
  return { stopping, said, ended, at: (ms: number) => (nowMs = ms) };
}

const words = (code: string) => ({
  stopping: () => `stopping ${code}`,
  abandoned: () => ({ problem: { code, message: "m" }, out: null }),
});

describe("requests to stop a command (orchestration section 9)", () => {
  it("says at the first one what happens now, and aborts", () => {
    const { stopping, said } = open();
    stopping.use(words("A"));
    expect(stopping.signal.aborted).toBe(false);
    stopping.request();
    expect(said).toEqual(["stopping A\n"]);
    expect(stopping.signal.aborted).toBe(true);
  });

  it.each([
    [[0, 0], 0],
    [[0, SAME_REQUEST_MS - 1], 0],
    [[0, 1, 2, 3], 0],
    [[0, SAME_REQUEST_MS], 1],
    [[0, 1, SAME_REQUEST_MS + 5], 1],
  ])("ends at once only on one that is no echo of the first: requests at %j ms", (moments, ends) => {
    const { stopping, said, ended, at } = open();
    stopping.use(words("A"));
    for (const moment of moments) {
      at(moment);
      stopping.request();
    }
    expect(ended).toHaveLength(ends);
    expect(said).toHaveLength(1);
  });

  it("uses the words of the command that runs, asked for at the moment", () => {
    const { stopping, ended, at } = open();
    stopping.request();
    stopping.use(words("LATER"));
    at(SAME_REQUEST_MS);
    stopping.request();
    expect(ended[0]?.problem.code).toBe("LATER");
  });

  it("has a problem with place and remedy for a command without words", () => {
    const { stopping, said, ended, at } = open();
    stopping.request();
    at(SAME_REQUEST_MS);
    stopping.request();
    expect(said).toEqual([]);
    expect(ended[0]?.problem).toMatchObject({
      code: "ABANDONED",
      place: expect.any(String),
      remedy: expect.any(String),
    });
  });
});
