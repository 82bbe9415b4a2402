/** A program that behaves as its first argument says; it imports nothing of the product. */
import { spawn } from "node:child_process";
import { renameSync, writeFileSync, writeSync } from "node:fs";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";

const [, , behaviour = "", ...rest] = process.argv;
const [first = "", second = ""] = rest;
const self = fileURLToPath(import.meta.url);

/** Whoever waits for the file never sees half of it. */
function say(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

function live(): void {
  setInterval(() => undefined, 60_000);
}

function ignoreEverything(): void {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK"]) process.on(signal, () => undefined);
}

const behaviours: Readonly<Record<string, () => void>> = {
  /** Prints what it was given. */
  report: () => {
    const seen = { args: rest, env: process.env, cwd: process.cwd() };
    process.stdout.write(`${JSON.stringify(seen)}\n`);
    process.stderr.write("人間向けの行\n");
  },
  live: () => {
    live();
    say(first, String(process.pid));
  },
  stubborn: () => {
    ignoreEverything();
    live();
    say(first, String(process.pid));
  },
  /** Starts a detached child that starts a detached grandchild; the one between ends, the others ignore everything. */
  family: () => {
    ignoreEverything();
    live();
    start(["between", first], {});
  },
  between: () => {
    start(["stubborn", first], {});
    process.exit(0);
  },
  /** The same, but this program ends with 0 at once and leaves its descendants. */
  deserter: () => {
    start(["stubborn", first], {});
    process.exit(0);
  },
  /** Ends with 3 on the word from its control pipe. */
  listen: () => {
    live();
    ignoreEverything();
    const pipe = connect(process.env.FLOWNET_CONTROL_PIPE ?? "").setEncoding("utf8");
    pipe.on("connect", () => say(first, String(process.pid)));
    pipe.on("data", (text: string) => {
      if (text.includes("cancel\n")) process.exit(3);
    });
    pipe.on("error", () => undefined);
    pipe.on("close", () => say(second, "closed"));
  },
  /** Writes numbered lines of 64 bytes until so many bytes are written, then ends with 2. */
  flood: () => {
    flood(Number(first));
    process.exitCode = 2;
  },
  /** The same, but says after the first part that it is under way and after the last that it is done. */
  "flood-and-tell": () => {
    flood(1024 * 1024);
    say(second, String(process.pid));
    flood(Number(first));
    say(`${second}.done`, "done");
  },
  /** Ends with this code. */
  end: () => {
    process.exitCode = Number(first);
  },
};

function start(args: readonly string[], env: Readonly<Record<string, string>>): void {
  spawn(process.execPath, [...process.execArgv, self, ...args], {
    detached: true,
    stdio: "ignore",
    windowsHide: true,
    env: { ...process.env, ...env },
  }).unref();
}

function flood(bytes: number): void {
  const lines = 4_096;
  for (let line = 0; line * 64 < bytes; line += lines) {
    const block = Buffer.alloc(lines * 64, ".");
    for (let at = 0; at < lines; at++) block.write(`${String(line + at).padStart(12, "0")} 行`, at * 64);
    for (let at = 1; at <= lines; at++) block[at * 64 - 1] = 10;
    let done = 0;
    while (done < block.length) done += writeSync(1, block, done);
  }
}

const behave = behaviours[behaviour];
if (behave === undefined) throw new Error(`no behaviour ${behaviour}`);
behave();
