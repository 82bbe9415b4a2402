import { describe, expect, it } from "vitest";
import { type CommandSpec, parseArguments } from "../../../../main/cli/arguments.ts";
import { COMMANDS } from "../../../../main/cli/commands.ts";
import { splitCommand } from "../../../../main/cli/run-cli.ts";

const spec = (name: string): CommandSpec => {
  const found = COMMANDS.find((command) => command.spec.name === name);
  if (found === undefined) throw new Error(`no command ${name}`);
  return found.spec;
};
const messages = (name: string, ...argv: string[]): readonly string[] => {
  const parsed = parseArguments(spec(name), argv);
  return parsed.ok ? [] : parsed.error.map((problem) => problem.message);
};

describe("argument parsing (orchestration section 9.1)", () => {
  it("reads the positional, values and flags in any order", () => {
    const parsed = parseArguments(spec("run-network"), ["--json", "a.yaml", "--business-key", "k-1"]);
    expect(parsed).toEqual({
      ok: true,
      value: { positional: "a.yaml", values: { "--business-key": "k-1" }, flags: new Set(["--json"]) },
    });
  });

  it.each([
    [
      "a value that starts with --",
      ["a.yaml", "--business-key", "--json"],
      "Option --business-key needs a value.",
    ],
    ["a value that is not there", ["a.yaml", "--scheduled-for"], "Option --scheduled-for needs a value."],
    ["a repeated option", ["a.yaml", "--json", "--json"], "Option --json was given more than once."],
    [
      "a repeated option with a value",
      ["a.yaml", "--business-key", "a", "--business-key", "b"],
      "Option --business-key was given more than once.",
    ],
    ["an unknown option", ["a.yaml", "--force"], "Unknown option: --force"],
    ["an option written with =", ["a.yaml", "--business-key=k"], "Unknown option: --business-key=k"],
    ["a second positional", ["a.yaml", "b.yaml"], "Unexpected argument: b.yaml"],
    ["no positional", ["--json"], "The network.yaml is missing."],
    [
      "--resume-run beside --resume",
      ["a.yaml", "--resume-run", "r", "--resume"],
      "--resume-run cannot be combined with --resume.",
    ],
    [
      "--resume-run beside --scheduled-for",
      ["a.yaml", "--resume-run", "r", "--scheduled-for", "t"],
      "--resume-run cannot be combined with --scheduled-for.",
    ],
    [
      "--resume-run beside --business-key",
      ["a.yaml", "--resume-run", "r", "--business-key", "k"],
      "--resume-run cannot be combined with --business-key.",
    ],
    ["--rerun-from alone", ["a.yaml", "--rerun-from", "n"], "--rerun-from needs --resume or --resume-run."],
  ])("refuses %s", (_, argv, message) => {
    expect(messages("run-network", ...argv)).toEqual([message]);
  });

  it("tells every error at once, each with its code, place and remedy", () => {
    const parsed = parseArguments(spec("status"), ["n", "--what", "--run-id", "r", "--business-key", "k"]);
    expect(parsed.ok ? [] : parsed.error).toEqual([
      {
        code: "INVALID_ARGUMENTS",
        message: "Unknown option: --what",
        place: "argument --what",
        remedy: "flownet status knows: --profile --run-id --business-key --json --data-dir",
      },
      {
        code: "INVALID_ARGUMENTS",
        message: "--run-id cannot be combined with --business-key.",
        place: "argument --run-id",
        remedy: "Give only one of them.",
      },
    ]);
  });

  it("accepts a value with a single dash: keys may begin with one", () => {
    expect(messages("status", "n", "--business-key", "-k")).toEqual([]);
  });

  it("takes --data-dir before and after the command", () => {
    expect(splitCommand(["--data-dir", "d", "status", "n"])).toEqual({
      name: "status",
      rest: ["--data-dir", "d", "n"],
    });
    expect(splitCommand(["status", "n", "--data-dir", "d"]).name).toBe("status");
    expect(splitCommand(["--json"]).name).toBeNull();
  });

  it.each(COMMANDS.map((command) => command.spec))("$name has an example that parses", (command) => {
    const words = command.example.split(" ");
    const name = ["flownet", ...command.name.split(" ")];
    const argv = words.slice(name.length);
    expect(words.slice(0, name.length)).toEqual(name);
    expect(parseArguments(command, argv)).toMatchObject({ ok: true });
  });
});
