import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import type {
  Dialog,
  MessageBoxOptions,
  PowerSaveBlocker,
  Protocol,
  SafeStorage,
  Session,
  Shell,
} from "electron";
import { declareSchemes, host } from "./host.ts";
import { onlyKnown, strict, unimplemented } from "./strict.ts";

const DIALOG_OPTIONS = "type title message detail buttons defaultId cancelId noLink".split(" ");

function showMessageBox(options: MessageBoxOptions): Promise<{ response: number; checkboxChecked: boolean }> {
  onlyKnown("message box option", options, DIALOG_OPTIONS);
  host.questions.push({
    title: options.title ?? "",
    message: options.message,
    detail: options.detail ?? "",
    buttons: options.buttons ?? ["OK"],
    preferred: options.defaultId ?? 0,
  });
  // A notice without buttons stays on the screen and nobody waits for it.
  if (options.buttons === undefined) return Promise.resolve({ response: 0, checkboxChecked: false });
  const answered = Promise.withResolvers<{ response: number; checkboxChecked: boolean }>();
  host.pending = {
    answer(response) {
      host.pending = null;
      answered.resolve({ response, checkboxChecked: false });
    },
  };
  return answered.promise;
}

/** Questions are recorded and wait for the test's answer. */
export const dialog = strict("dialog", {
  showMessageBox: (options: MessageBoxOptions) => showMessageBox(options),
} satisfies { showMessageBox: (options: MessageBoxOptions) => ReturnType<Dialog["showMessageBox"]> });

export const shell = strict("shell", {
  async openExternal(url) {
    host.opened.push(url);
  },
} satisfies Partial<Shell>);

export const powerMonitor = new EventEmitter();

export const powerSaveBlocker = strict("powerSaveBlocker", {
  start() {
    host.blockers.add(host.nextBlocker);
    return host.nextBlocker++;
  },
  stop: (id) => host.blockers.delete(id),
} satisfies Partial<PowerSaveBlocker>);

export const protocol = strict("protocol", {
  registerSchemesAsPrivileged: declareSchemes,
  handle(scheme, handler) {
    if (!host.schemes.has(scheme)) unimplemented(`a scheme that was not declared: ${scheme}`);
    host.handlers.set(scheme, (request) => handler(request));
  },
} satisfies Partial<Protocol>);

type RequestHandler = (contents: unknown, permission: string, answer: (granted: boolean) => void) => void;
type CheckHandler = (contents: unknown, permission: string) => boolean;

/** Permissions are asked by the test by name: the browser's own prompts are not Electron's. */
export const session = {
  defaultSession: strict("defaultSession", {
    resolveProxy: async (_url: string) => "DIRECT",
    setPermissionRequestHandler(handler: RequestHandler) {
      host.permissionRequest = (permission) =>
        new Promise((resolve) => handler(undefined, permission, resolve));
    },
    setPermissionCheckHandler(handler: CheckHandler) {
      host.permissionCheck = (permission) => handler(undefined, permission);
    },
    setDevicePermissionHandler(handler: () => boolean) {
      if (handler()) unimplemented("devices");
    },
  } satisfies Partial<Record<keyof Session, unknown>>),
};

/** One display, less its task bar. */
export const screen = strict("screen", {
  getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1040 } }],
});

/** Encrypts with a key of this process: another start cannot open what it sealed, as with another account. */
const key = randomBytes(32);
export const safeStorage = strict("safeStorage", {
  isAsyncEncryptionAvailable: async () => true,
  async encryptStringAsync(text) {
    const iv = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", key, iv);
    return Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  },
  async decryptStringAsync(sealed) {
    const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, 12));
    decipher.setAuthTag(sealed.subarray(-16));
    const result = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString(
      "utf8",
    );
    return { result, shouldReEncrypt: false };
  },
} satisfies Partial<SafeStorage>);
