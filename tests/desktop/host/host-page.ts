import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, CDPSession, Page } from "@playwright/test";

const WORLD = "flownet-preload";
const world = (name: string): string => readFileSync(join(import.meta.dirname, "world", name), "utf8");

export interface HostPageEvents {
  /** The preload sent a message; from the main frame, which alone has a preload. */
  readonly sent: (channel: string, args: readonly unknown[]) => void;
  readonly windowOpened: (url: string) => void;
  readonly navigatedWithin: (url: string) => void;
}

export interface HostPage {
  readonly page: Page;
  /** Runs the listeners the preload has for the channel; dropped while there is no document. In order. */
  deliver(channel: string, args: readonly unknown[]): Promise<void>;
}

/** A page whose preload runs in a world of its own, as under context isolation (toolchain §7). */
export async function openHostPage(
  context: BrowserContext,
  preload: string,
  events: HostPageEvents,
): Promise<HostPage> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const settings = JSON.stringify({
    secret: randomUUID(),
    binding: `flownet_${randomUUID().replaceAll("-", "")}`,
  });
  const contexts = await followContexts(session);
  await session.send("Page.enable");
  session.on("Page.windowOpen", ({ url }) => events.windowOpened(url));
  session.on("Page.navigatedWithinDocument", ({ url }) => events.navigatedWithin(url));
  session.on("Runtime.bindingCalled", ({ payload }) => {
    const { channel, args }: { channel: string; args: readonly unknown[] } = JSON.parse(payload);
    events.sent(channel, args);
  });
  const { binding }: { binding: string } = JSON.parse(settings);
  await session.send("Runtime.addBinding", { name: binding, executionContextName: WORLD });
  // The page's side first: it must listen before the preload exposes anything.
  await session.send("Page.addScriptToEvaluateOnNewDocument", {
    source: `{${world("page.js")};globalThis.flownetPageWorld(${settings});delete globalThis.flownetPageWorld;}`,
  });
  const built = readFileSync(preload, "utf8");
  await session.send("Page.addScriptToEvaluateOnNewDocument", {
    worldName: WORLD,
    source: `{${world("isolated.js")};globalThis.flownetIsolatedWorld(${settings},function(require,module,exports,process){${built}\n});}`,
  });
  let last: Promise<void> = Promise.resolve();
  return {
    page,
    deliver(channel, args) {
      last = last.then(() => evaluate(session, contexts.current(), channel, args));
      return last;
    },
  };
}

/** The preload's context in the main frame's present document. */
async function followContexts(session: CDPSession) {
  let current: number | null = null;
  const mainFrame = (await session.send("Page.getFrameTree")).frameTree.frame.id;
  session.on("Runtime.executionContextCreated", ({ context }) => {
    if (context.name === WORLD && context.auxData?.frameId === mainFrame) current = context.id;
  });
  session.on("Runtime.executionContextsCleared", () => {
    current = null;
  });
  await session.send("Runtime.enable");
  return { current: () => current };
}

async function evaluate(
  session: CDPSession,
  contextId: number | null,
  channel: string,
  args: readonly unknown[],
): Promise<void> {
  if (contextId === null) return;
  const expression = `globalThis.flownetDeliver(${JSON.stringify(channel)}, ${JSON.stringify(args)})`;
  // A document that ends in between takes the message with it, as Electron's would.
  await session.send("Runtime.evaluate", { expression, contextId }).catch(() => undefined);
}
