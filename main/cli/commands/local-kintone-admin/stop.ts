import type { Command } from "../../command.ts";
import { FALLBACK_CODE } from "./options.ts";

const LIMIT_MS = 30_000;

/** `local-kintone stop`: ends the server of the data folder, whoever uses it. */
export const localKintoneStop: Command = {
  spec: {
    name: "local-kintone stop",
    summary: "Ends the data folder's kintone, whoever uses it, and waits until its files are free.",
    positional: null,
    options: [],
    example: "flownet local-kintone stop",
  },
  fallbackCode: FALLBACK_CODE,
  async run(_args, context) {
    const { stopServer } = await import("../../../local-kintone/index.ts");
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(LIMIT_MS)]);
    const stopped = await stopServer(await context.dataDir(), signal);
    context.out(stopped ? "Ended.\n" : "Nobody served it.\n");
    return 0;
  },
};
