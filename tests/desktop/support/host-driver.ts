import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "@playwright/test";
import type { AnswerValue, Command, Report } from "../host/messages.ts";
import { fromHosted } from "../host/scheme.ts";
import type { DesktopUnderTest, StartOptions } from "./driver.ts";
import { programEnvironment } from "./environment.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
/** A program that does not end by itself within this time, in milliseconds, is ended. */
const STOP_LIMIT_MS = 30_000;
const REGISTER = pathToFileURL(join(ROOT, "tests", "desktop", "host", "register.ts")).href;

/** The program in the test host, with what only the host can do. */
export interface HostedDesktop extends DesktopUnderTest {
  command(command: Command): Promise<AnswerValue>;
}

/** Starts `main/index.ts` itself on the stand-in for Electron (toolchain §7). */
export function startHosted(options: StartOptions): HostedDesktop {
  const program =
    options.built === true ? join(ROOT, "build", "main", "index.js") : join(ROOT, "main", "index.ts");
  const dataDir = join(options.folder, "data");
  const child = spawn(
    process.execPath,
    ["--import", REGISTER, program, "--data-dir", dataDir, ...(options.arguments ?? [])],
    {
      env: { ...programEnvironment(options.folder), ...options.env },
      stdio: ["ignore", "inherit", "pipe", "ipc"],
    },
  );
  const output: string[] = [];
  child.stderr?.setEncoding("utf8").on("data", (text: string) => output.push(text));
  const exited = once(child, "exit").then(([code]: (number | null)[]) => code ?? null);
  const channel = openChannel(child, exited);
  const browser = channel.endpoint.then((endpoint) => chromium.connectOverCDP(endpoint));
  // A start that ends without a browser is a fact for the test that expects one, and none for the others.
  browser.catch(() => undefined);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await exited;
    await (await browser.catch(() => null))?.close();
  };
  return {
    page: async () => firstPage(await browser),
    async state() {
      const value = await channel.command({ kind: "state" });
      if (typeof value === "object" && "questions" in value) return value;
      throw new Error("the host did not tell its state");
    },
    answer: async (button) => void (await channel.command({ kind: "answer", button })),
    menu: async (id) => void (await channel.command({ kind: "menu", id })),
    power: async (event) => void (await channel.command({ kind: "power", event })),
    window: async (event) => (await channel.command({ kind: "window", event })) === true,
    command: channel.command,
    exited,
    log: () => output.join(""),
    kill: () => end("SIGKILL"),
    async stop() {
      const late = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
      await end("SIGTERM");
      clearTimeout(late);
    },
  };
}

async function firstPage(browser: Browser): Promise<Page> {
  const [context] = browser.contexts();
  if (context === undefined) throw new Error("the host's browser has no context");
  const isOurs = (page: Page): boolean => fromHosted(page.url()).startsWith("app://");
  for (;;) {
    const found = context.pages().find(isOurs);
    if (found !== undefined) return found;
    await Promise.race([
      context.waitForEvent("page"),
      ...context.pages().map((page) => page.waitForEvent("framenavigated")),
    ]);
  }
}

function openChannel(child: ChildProcess, exited: Promise<unknown>) {
  const endpoint = Promise.withResolvers<string>();
  const answers = new Map<number, PromiseWithResolvers<AnswerValue>>();
  let last = 0;
  child.on("message", (message: Report) => {
    if (message.kind === "browser") return endpoint.resolve(message.endpoint);
    const answer = answers.get(message.id);
    answers.delete(message.id);
    if (message.kind === "answer") answer?.resolve(message.value);
    else answer?.reject(new Error(message.message));
  });
  void exited.then(() => {
    const ended = new Error("the program ended");
    endpoint.reject(ended);
    for (const answer of answers.values()) answer.reject(ended);
  });
  return {
    endpoint: endpoint.promise,
    command(command: Command): Promise<AnswerValue> {
      last += 1;
      const answer = Promise.withResolvers<AnswerValue>();
      answers.set(last, answer);
      child.send({ id: last, command });
      return answer.promise;
    },
  };
}
