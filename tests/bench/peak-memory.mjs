// Preloaded into a measured process: says its peak of resident memory, in KiB, as the last line of stderr.
import { writeSync } from "node:fs";

process.on("exit", () => writeSync(2, `peak-memory ${process.resourceUsage().maxRSS}\n`));
