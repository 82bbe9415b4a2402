import type { StartMarker } from "./life/start-marker.ts";
import { openingLine, openingText } from "./opening-text.ts";
import type { Shell } from "./ports.ts";
import { desktopTexts } from "./texts.ts";

export interface OpenDeps<T> {
  readonly shell: Shell;
  readonly marker: StartMarker;
  readonly openConsole: () => Promise<T>;
  readonly log: (line: string) => void;
  readonly flushLog: () => void;
}

/** Opens the console; what stands in the way is shown with its next step and ends the program, answering null. */
export async function openOrTell<T>(deps: OpenDeps<T>, languages: readonly string[]): Promise<T | null> {
  try {
    return await deps.openConsole();
  } catch (error) {
    const { title } = desktopTexts(languages).open;
    deps.log(openingLine(error));
    await deps.shell.ask({
      title,
      message: title,
      detail: openingText(error, languages),
      buttons: ["OK"],
      preferred: 0,
    });
    deps.marker.clear();
    deps.flushLog();
    deps.shell.exit(1);
    return null;
  }
}
