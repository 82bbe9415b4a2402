import { benchConsoleActing } from "./console-acting.ts";
import { benchConsoleLog } from "./console-log.ts";
import { benchConsoleMain } from "./console-main.ts";
import { benchConsolePage } from "./console-page.ts";
import { benchConsoleRuns } from "./console-runs.ts";
import { benchCsv } from "./csv.ts";
import { benchJobRunner } from "./job-runner.ts";
import { benchJobRunnerStart } from "./job-runner-start.ts";
import { benchLocalKintone } from "./local-kintone.ts";
import { machineLine } from "./machine.ts";
import { benchOrchestrator } from "./orchestrator.ts";
import { benchPeer } from "./peer.ts";
import { benchPlans } from "./plans.ts";
import { benchProcess } from "./process.ts";

const rooms: Readonly<Record<string, () => Promise<void>>> = {
  orchestrator: benchOrchestrator,
  "orchestrator-peer": benchPeer,
  csv: benchCsv,
  plans: benchPlans,
  process: benchProcess,
  "local-kintone": benchLocalKintone,
  "job-runner": benchJobRunner,
  "job-runner-start": benchJobRunnerStart,
  console: benchConsoleMain,
  "console-runs": benchConsoleRuns,
  "console-log": benchConsoleLog,
  "console-page": benchConsolePage,
  "console-acting": benchConsoleActing,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((room) => !(room in rooms));
if (unknown.length > 0) {
  console.error(
    `Error [UNKNOWN_ROOM]: no bench for ${unknown.join(", ")}. Rooms: ${Object.keys(rooms).join(", ")}.`,
  );
  process.exitCode = 1;
} else {
  console.log(machineLine());
  for (const [room, bench] of Object.entries(rooms)) {
    if (asked.length === 0 || asked.includes(room)) await bench();
  }
}
