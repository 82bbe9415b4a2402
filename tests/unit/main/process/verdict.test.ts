import { describe, expect, it } from "vitest";
import { livenessVerdict, type ProcessReading } from "../../../../main/process/index.ts";

const START = "2026-01-01T00:00:01.230Z";
const OTHER = "2026-01-01T00:00:05.000Z";
const WINDOWS = { clockStepsMoveTimes: false, imageMayChange: false };
const LINUX = { clockStepsMoveTimes: true, imageMayChange: true };
const process = (processStart: string | null, image: string | null = "C:\\node.exe") => ({
  pid: 8,
  processStart,
  image,
});
const found = (processStart: string | null, image?: string | null): ProcessReading => ({
  kind: "found",
  identity: process(processStart, image),
});
const unreadable: ProcessReading = { kind: "unreadable", reason: "access was denied" };

describe("the verdict about a process (decisions §3, electron-desktop §4 C3)", () => {
  it.each([
    ["no such number", process(START), { kind: "absent" } as const, WINDOWS, "gone"],
    ["no such number, and nothing known", process(null), { kind: "absent" } as const, LINUX, "gone"],
    ["access denied", process(START), unreadable, WINDOWS, "cannot-tell"],
    ["the same creation time", process(START), found(START), WINDOWS, "alive-ours"],
    ["the same time after exec", process(START), found(START, "/bin/sh"), LINUX, "alive-ours"],
    ["created later", process(START), found(OTHER), WINDOWS, "alive-another"],
    ["created earlier", process(OTHER), found(START), LINUX, "alive-another"],
    ["a clock step on Linux", process(START), found("2026-01-01T00:30:01.230Z"), LINUX, "cannot-tell"],
    ["whole seconds on Windows", process(START), found("2026-01-01T00:30:01.230Z"), WINDOWS, "alive-another"],
    ["no time known", process(null), found(START), WINDOWS, "cannot-tell"],
    ["no time read", process(START), found(null), LINUX, "cannot-tell"],
    ["no time, another image", process(null), found(START, "C:\\x.exe"), WINDOWS, "alive-another"],
    ["no time, only another case", process(null), found(START, "c:\\NODE.EXE"), WINDOWS, "cannot-tell"],
    ["no time, another image on Linux", process(null), found(START, "/bin/sh"), LINUX, "cannot-tell"],
  ])("%s: %#", (_name, expected, reading, rules, kind) => {
    expect(livenessVerdict(expected, reading, rules).kind).toBe(kind);
  });
});
