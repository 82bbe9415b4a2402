import { LINE_CHANNEL } from "../../../shared/api/desktop-bridge.ts";
import { app } from "./app.ts";
import { host, type WindowAtHost } from "./host.ts";
import { Menu, Tray } from "./menus.ts";
import type { AnswerValue, Command, HostState } from "./messages.ts";
import { report } from "./report.ts";
import { powerMonitor } from "./system.ts";
import { preventable } from "./window.ts";

function state(): HostState {
  return {
    questions: host.questions,
    pending: host.pending !== null,
    opened: host.opened,
    awake: host.blockers.size,
    windows: [...host.windows.values()].map((window) => ({
      id: window.id,
      url: window.url(),
      visible: window.isVisible(),
    })),
    menu: Menu.current?.labels ?? [],
    tray: Tray.current?.menu?.labels ?? [],
  };
}

function firstWindow(): WindowAtHost {
  const window = host.windows.values().next().value;
  if (window === undefined) throw new Error("there is no window");
  return window;
}

async function obey(command: Command): Promise<AnswerValue> {
  switch (command.kind) {
    case "state":
      return state();
    case "answer":
      if (host.pending === null) throw new Error("no question is open");
      host.pending.answer(command.button);
      return true;
    case "menu":
      if (Menu.current?.click(command.id) === true || Tray.current?.menu?.click(command.id) === true)
        return true;
      throw new Error(`no menu entry ${command.id}`);
    case "power":
      return powerMonitor.emit(command.event);
    case "window": {
      const event = preventable({ reasons: ["shutdown"] });
      firstWindow().emit(command.event, event);
      return event.defaultPrevented;
    }
    case "page-gone":
      return firstWindow().webContents.emit(
        "render-process-gone",
        {},
        { reason: command.reason, exitCode: 1 },
      );
    case "permission":
      return [await host.permissionRequest?.(command.permission), host.permissionCheck?.(command.permission)];
    case "fault":
      setImmediate(() => {
        throw new Error(command.message);
      });
      return true;
    case "forge":
      return forge(command);
  }
}

function forge({ frameUrl, sub, message, foreignWindow }: Extract<Command, { kind: "forge" }>): boolean {
  const frame = frameUrl === null ? null : { url: frameUrl, sub };
  firstWindow().receive(LINE_CHANNEL, [message], { frame, foreign: foreignWindow });
  return true;
}

/** Obeys the test over the process's channel. */
export function listenToTest(): void {
  process.on("message", ({ id, command }: { id: number; command: Command }) => {
    obey(command).then(
      (value) => report({ kind: "answer", id, value }),
      (error: unknown) => report({ kind: "failure", id, message: String(error) }),
    );
  });
  // The channel alone keeps no program alive, and a test that is gone takes its program with it.
  process.channel?.unref();
  process.on("disconnect", () => app.exit(1));
}
