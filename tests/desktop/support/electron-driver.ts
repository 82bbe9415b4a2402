import { join } from "node:path";
import { _electron, type ElectronApplication } from "@playwright/test";
import type { HostState } from "../host/messages.ts";
import type { DesktopUnderTest, StartOptions } from "./driver.ts";
import { electronExecutable } from "./electron-build.ts";
import { programEnvironment } from "./environment.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** The built program in Electron itself, driven by Playwright; its dialogs are answered by the test. */
export function startElectron(options: StartOptions): DesktopUnderTest {
  const executablePath = electronExecutable() ?? "";
  const dataDir = join(options.folder, "data");
  const launched = _electron.launch({
    executablePath,
    args: [ROOT, "--data-dir", dataDir, ...(options.arguments ?? [])],
    env: { ...programEnvironment(options.folder), ...options.env },
  });
  const output: string[] = [];
  const prepared = launched.then(async (app) => {
    app.process().stderr?.on("data", (text: Buffer) => output.push(text.toString("utf8")));
    await record(app);
    return app;
  });
  const exited = launched.then(
    (app) => new Promise<number | null>((resolve) => app.process().once("exit", resolve)),
  );
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    (await launched).process().kill(signal);
    await exited;
  };
  return {
    page: async () => (await prepared).firstWindow(),
    state: async () => readState(await prepared),
    answer: async (button) => (await prepared).evaluate(answerInMain, button),
    menu: async (id) =>
      (await prepared).evaluate(({ Menu }, wanted) => {
        Menu.getApplicationMenu()?.getMenuItemById(wanted)?.click();
      }, id),
    power: async (event) =>
      (await prepared).evaluate(({ powerMonitor }, name) => void powerMonitor.emit(name), event),
    window: async (event) => (await prepared).evaluate(emitInMain, event),
    exited,
    log: () => output.join(""),
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
  };
}

type Main = typeof Electron.CrossProcessExports;
/** Lives in the program under test; these functions are sent there as text and share nothing else. */
interface Recorder {
  questions: HostState["questions"][number][];
  opened: string[];
  awake: number;
  answer: ((button: number) => void) | null;
}

async function record(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ dialog, shell, powerSaveBlocker }) => {
    const recorder: Recorder = { questions: [], opened: [], awake: 0, answer: null };
    Object.assign(globalThis, { flownetRecorder: recorder });
    Object.assign(dialog, {
      showMessageBox(question: Electron.MessageBoxOptions) {
        recorder.questions.push({
          title: question.title ?? "",
          message: question.message,
          detail: question.detail ?? "",
          buttons: question.buttons ?? ["OK"],
          preferred: question.defaultId ?? 0,
        });
        if (question.buttons === undefined) return Promise.resolve({ response: 0, checkboxChecked: false });
        return new Promise((resolve) => {
          recorder.answer = (response) => {
            recorder.answer = null;
            resolve({ response, checkboxChecked: false });
          };
        });
      },
    });
    Object.assign(shell, { openExternal: async (url: string) => void recorder.opened.push(url) });
    Object.assign(powerSaveBlocker, { start: () => ++recorder.awake, stop: () => recorder.awake-- > 0 });
  });
}

function answerInMain(_main: Main, button: number): void {
  const recorder: Recorder = Reflect.get(globalThis, "flownetRecorder");
  recorder.answer?.(button);
}

function emitInMain({ BrowserWindow }: Main, event: string): boolean {
  let prevented = false;
  const details = { reasons: ["shutdown"], preventDefault: () => (prevented = true) };
  BrowserWindow.getAllWindows()[0]?.emit(event, details);
  return prevented;
}

function readState(app: ElectronApplication): Promise<HostState> {
  return app.evaluate(({ BrowserWindow, Menu }) => {
    const recorder: Recorder = Reflect.get(globalThis, "flownetRecorder");
    const { questions, opened, awake, answer } = recorder;
    return {
      questions,
      opened,
      awake,
      pending: answer !== null,
      windows: BrowserWindow.getAllWindows().map((window) => ({
        id: window.id,
        url: window.webContents.getURL(),
        visible: window.isVisible(),
      })),
      menu: (Menu.getApplicationMenu()?.items ?? []).map(({ label }) => label),
      tray: [],
    };
  });
}
