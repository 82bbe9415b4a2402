import { electronPackage, findElectron, installElectron } from "./electron-build.ts";
import { decideFront, type FrontDecision, type FrontFacts } from "./front.ts";

export interface ChooseOptions {
  readonly env: FrontFacts["env"];
  readonly signal: AbortSignal;
  readonly built: boolean;
  readonly pageWanted: boolean;
  readonly out: (text: string) => void;
}

/** Decides the front, downloading Electron's build once where the decision asks for it. */
export async function chooseFront(
  options: ChooseOptions,
): Promise<Exclude<FrontDecision, { front: "install" }>> {
  const { env, signal, built, pageWanted, out } = options;
  const folder = electronPackage();
  let installed: FrontFacts["installed"] = null;
  for (;;) {
    const electron = findElectron(folder, env, process.platform);
    const decision = decideFront({ platform: process.platform, env, electron, built, installed, pageWanted });
    if (decision.front !== "install") return decision;
    out(`${decision.why}: downloading it once, for at most 120 seconds.\n`);
    const outcome = await installElectron(folder, signal);
    // A download that says it succeeded and left nothing has failed all the same.
    installed = outcome === "timed-out" ? outcome : "failed";
  }
}
