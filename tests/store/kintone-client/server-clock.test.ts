import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { clockNews, createServerClock } from "../../../main/console/server-clock.ts";
import { createKintoneTransport, getRecords, watchServerClock } from "../../../main/kintone-client/index.ts";
import type { ClockSample } from "../../../shared/domain/clock-skew.ts";

/** A server whose clock is off by so much, asked once through the real transport. */
async function askOne(offMs: number | null): Promise<{ samples: ClockSample[]; elsewhere: number }> {
  const server = createServer((_, response) => {
    response.sendDate = false;
    const headers = { "Content-Type": "application/json" };
    const date = offMs === null ? {} : { Date: new Date(Date.now() + offMs).toUTCString() };
    response.writeHead(200, { ...headers, ...date });
    response.end('{"records":[]}');
  });
  server.listen(0, "localhost");
  await new Promise((listening) => server.once("listening", listening));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const baseUrl = `http://localhost:${port}`;
  const samples: ClockSample[] = [];
  let elsewhere = 0;
  const ends = [
    watchServerClock({ baseUrl, nowMs: () => Date.now(), told: (sample) => samples.push(sample) }),
    watchServerClock({
      baseUrl: "http://localhost:1",
      nowMs: () => Date.now(),
      told: () => {
        elsewhere += 1;
      },
    }),
  ];
  const transport = createKintoneTransport({ baseUrl, tokens: new Map([[1, ["token"]]]) });
  const ask = () => transport.send(getRecords(1, "limit 1"));
  expect(await ask()).toMatchObject({ kind: "ok" });
  for (const end of ends) end();
  await ask();
  await transport.dispose();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  return { samples, elsewhere };
}

describe("the kintone's clock out of the answers that come anyway (electron-desktop L13)", () => {
  it.each([
    [0, "fine"],
    [45_000, "off"],
    [-90_000, "wrong"],
  ])("a clock %i ms away is %s", async (offMs, verdict) => {
    const { samples, elsewhere } = await askOne(offMs);
    expect(samples).toHaveLength(1);
    expect(elsewhere).toBe(0);
    const clock = createServerClock();
    for (const sample of samples) clock.heard(sample);
    expect(clock.current()?.verdict).toBe(verdict);
    expect(Math.abs((clock.current()?.skewMs ?? 0) - offMs)).toBeLessThanOrEqual(
      clock.current()?.uncertaintyMs ?? 0,
    );
  });

  it("is not known from an answer that tells no time, nor from one that took too long", async () => {
    expect((await askOne(null)).samples).toEqual([]);
    const clock = createServerClock();
    clock.heard({ sentMs: 0, receivedMs: 10_001, serverMs: 90_000 });
    expect(clock.current()).toBeNull();
  });

  it("is news when it means something else, or moves while it is not well", () => {
    const of = (skewMs: number, verdict: "fine" | "off" | "wrong") => ({
      skewMs,
      verdict,
      uncertaintyMs: 500,
      measuredAt: "2026-09-05T03:00:00Z",
    });
    expect(clockNews(null, null)).toBe(false);
    expect(clockNews(null, of(0, "fine"))).toBe(true);
    expect(clockNews(of(0, "fine"), of(4_000, "fine"))).toBe(false);
    expect(clockNews(of(0, "fine"), of(40_000, "off"))).toBe(true);
    expect(clockNews(of(40_000, "off"), of(40_100, "off"))).toBe(false);
    expect(clockNews(of(40_000, "off"), of(42_000, "off"))).toBe(true);
  });
});
