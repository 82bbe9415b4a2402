import type { CommandSpec } from "../arguments.ts";
import type { Command } from "../command.ts";
import { completionScript, SHELLS } from "../completion-script.ts";
import { refuse } from "./acting.ts";

/** `completion`: the script that lets a shell complete commands and options, out of the table of commands. */
export const completionOf = (specs: () => readonly CommandSpec[]): Command => ({
  spec: {
    name: "completion",
    summary: "Prints the completion of a shell: bash, zsh or powershell.",
    positional: { name: "shell", text: SHELLS.join(", ") },
    options: [],
    example: "flownet completion bash",
  },
  fallbackCode: "COMPLETION_FAILED",
  async run({ positional }, { out }) {
    const shell = SHELLS.find((known) => known === positional);
    if (shell === undefined) {
      refuse({
        code: "INVALID_ARGUMENTS",
        message: `There is a completion for ${SHELLS.join(", ")}.`,
        place: "argument <shell>",
        remedy: "Name one of them.",
      });
    }
    out(completionScript(shell, specs()));
    return 0;
  },
});
