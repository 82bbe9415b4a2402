import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../../../main/cli/commands.ts";
import { completionScript } from "../../../../main/cli/completion-script.ts";

const specs = COMMANDS.map(({ spec }) => spec);

/** What bash itself offers after a line, with the script sourced. */
function offered(line: readonly string[]): readonly string[] {
  const ask = `${completionScript("bash", specs)}
COMP_WORDS=(${line.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_flownet; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", ask], { encoding: "utf8" })
    .split("\n")
    .filter((word) => word !== "");
}

describe.skipIf(process.platform === "win32")("flownet completion bash", () => {
  it.each<[readonly string[], readonly string[]]>([
    [["flownet", "arch"], ["archive-run"]],
    [["flownet", "job", "ru"], ["run"]],
    [["flownet", "cancel-run", "--rel"], ["--release"]],
    [["flownet", "cancel-run", "--run-id", "netrun_1", "--dry"], ["--dry-run"]],
    [["flownet", "completion", "--data"], ["--data-dir"]],
    [["flownet", "nonsense", "--rel"], []],
  ])("%j offers %j", (line, expected) => {
    expect(offered(line)).toEqual(expected);
  });

  it("offers files where a path is asked for", () => {
    expect(offered(["flownet", "cancel-run", "--reason-file", "package.js"])).toEqual(["package.json"]);
  });
});

describe("flownet completion", () => {
  it.each(["bash", "zsh", "powershell"] as const)("%s knows every command and every option", (shell) => {
    const script = completionScript(shell, specs);
    for (const { name, options } of specs) {
      const line = script.split("\n").find((each) => options.every((option) => each.includes(option.name)));
      expect([name, script.includes(name.split(" ").at(-1) ?? ""), line !== undefined]).toEqual([
        name,
        true,
        true,
      ]);
    }
  });
});
