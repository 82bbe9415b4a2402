import { FlowError } from "../../shared/api/index.ts";
import type { StartMarker } from "./life/start-marker.ts";
import type { Shell } from "./ports.ts";
import { residentText } from "./resident-text.ts";
import type { DesktopTexts } from "./texts.ts";

export interface OpenDeps<T> {
  readonly shell: Shell;
  readonly marker: StartMarker;
  readonly openConsole: () => Promise<T>;
  readonly log: (line: string) => void;
  readonly flushLog: () => void;
}

/** Opens the console; what stands in the way is shown with its remedy and ends the program, answering null. */
export async function openOrTell<T>(deps: OpenDeps<T>, texts: DesktopTexts): Promise<T | null> {
  try {
    return await deps.openConsole();
  } catch (error) {
    const problem = error instanceof FlowError ? error.problem : null;
    const lines = [
      problem === null ? String(error) : `${problem.code}: ${problem.message}`,
      problem?.place,
      problem?.remedy ?? texts.open.next,
    ].filter((line) => line !== undefined);
    deps.log(lines.join(" | "));
    await deps.shell.ask({
      title: texts.open.title,
      message: texts.open.title,
      detail: (problem === null ? null : residentText(problem, texts)) ?? lines.join("\n"),
      buttons: ["OK"],
      preferred: 0,
    });
    deps.marker.clear();
    deps.flushLog();
    deps.shell.exit(1);
    return null;
  }
}
