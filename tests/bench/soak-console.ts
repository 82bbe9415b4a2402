import { randomBytes, randomUUID } from "node:crypto";
import { createConsoleApi, openEmbedded, systemClock, waitOrAbort } from "../../main/console/index.ts";
import { createLoopback } from "../../main/loopback/index.ts";
import { settle } from "../../shared/api/index.ts";
import { connectPage } from "../support/socket-client.ts";

/** What this process holds and used so far, garbage collected first. */
export interface MainFigures {
  readonly heapBytes: number;
  readonly rssBytes: number;
  /** Open timers, sockets, files and requests. */
  readonly handles: number;
  readonly cpuSeconds: number;
}

const NETWORK = "diamond";
const [dataDir = "", staticDir = ""] = process.argv.slice(2);
const workspace = await openEmbedded({ dataDir, env: process.env, endServer: true });
const api = createConsoleApi({ workspace, clock: systemClock, random: Math.random });
const front = await createLoopback({
  api,
  staticDir,
  port: 0,
  clock: systemClock,
  randomBytes: (size) => randomBytes(size),
  wait: waitOrAbort,
});
const page = await connectPage(front.url);

/** Starts a small Run as an operator does, and waits for its end. */
async function startRun(): Promise<string> {
  const target = { networkId: NETWORK, businessKey: `${NETWORK}@soak-${randomUUID()}` };
  const preview = await settle(page.api.start.preview(target));
  if (!preview.ok) return preview.error.code;
  const operationId = randomUUID();
  const { fingerprint } = preview.value;
  const started = await settle(
    page.api.start.execute({ ...target, operationId, fingerprint, reason: "soak test" }),
  );
  if (!started.ok) return started.error.code;
  for (;;) {
    const operation = await settle(page.api.operations.get({ operationId }));
    if (!operation.ok) return operation.error.code;
    if (operation.value.state !== "accepted") return operation.value.state;
    await waitOrAbort(500, new AbortController().signal);
  }
}

function figures(): MainFigures {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    heapBytes: heapUsed,
    rssBytes: rss,
    handles: process.getActiveResourcesInfo().length,
    cpuSeconds: (user + system) / 1e6,
  };
}

async function end(): Promise<void> {
  await page.close();
  await front.close();
  await api.dispose();
  await workspace.dispose();
  process.disconnect();
}

process.on("message", (asked) => {
  if (asked === "figures") process.send?.(figures());
  if (asked === "run") void startRun().then((state) => process.send?.({ state }));
  if (asked === "end") void end();
});
process.send?.({ link: front.mintLink() });
