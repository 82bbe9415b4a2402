import type { Command } from "../command.ts";

/** `serve`: the resident without pages, for a Windows service or systemd (decisions section 2). */
export const serve: Command = {
  spec: {
    name: "serve",
    summary: "Stays on this host without a window: carries out requests until it is stopped.",
    positional: null,
    options: [
      {
        name: "--poller",
        value: null,
        text: "poll the request app whatever the settings say, or refuse to start",
      },
    ],
    example: "flownet serve --poller",
  },
  fallbackCode: "SERVE_FAILED",
  async run({ flags }, context) {
    const { serveHeadless } = await import("../serve-headless.ts");
    await serveHeadless({ poller: flags.has("--poller") }, context);
    return 0;
  },
};
