/** Holds the host guard of the folder named in its arguments until it is killed; says `held` or the code of the refusal. */
import { takeHostGuard } from "../../main/console/host-guard/index.ts";
import { FlowError } from "../../shared/domain/problem.ts";

const [dataDir = "", front = "serve"] = process.argv.slice(2);
try {
  const guard = await takeHostGuard({ dataDir, front: front === "page" ? "page" : "serve" });
  process.stdout.write(`held after ${guard.takenOverFrom?.process.pid ?? "nobody"}\n`);
  process.stdin.resume();
  process.stdin.on("end", () => void guard.dispose());
} catch (error) {
  process.stdout.write(`${error instanceof FlowError ? error.code : String(error)}\n`);
}
