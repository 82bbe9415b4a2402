import type { BrowserContext, Frame, Page, Request as PageRequest, Route } from "@playwright/test";
import type { CustomScheme } from "electron";
import type { HostBrowser } from "./browser.ts";
import type { RecordedQuestion } from "./messages.ts";
import { fromHosted, toHosted } from "./scheme.ts";

export type SchemeHandler = (request: Request) => Response | Promise<Response>;

/** What the other parts do with a window. */
export interface WindowAtHost {
  readonly id: number;
  readonly webContents: { emit(name: string, ...args: unknown[]): boolean };
  shows(page: Page): boolean;
  /** Asks the program about a navigation on its way; false when it was prevented. */
  navigationStarts(url: string, mainFrame: boolean): boolean;
  url(): string;
  isVisible(): boolean;
  emit(name: string, ...args: unknown[]): boolean;
  receive(channel: string, args: readonly unknown[], forged?: ForgedSender): void;
}

/** Who a forged message claims to come from; null is a frame that is gone. */
export interface ForgedSender {
  readonly frame: { readonly url: string; readonly sub: boolean } | null;
  /** From a window the program never made. */
  readonly foreign: boolean;
}

interface Pending {
  readonly answer: (button: number) => void;
}

/** Everything the stand-in's parts share: one process is one program, as with Electron itself. */
export const host = {
  browser: null as HostBrowser | null,
  windows: new Map<number, WindowAtHost>(),
  nextWindowId: 1,
  schemes: new Set<string>(),
  handlers: new Map<string, SchemeHandler>(),
  questions: [] as RecordedQuestion[],
  pending: null as Pending | null,
  opened: [] as string[],
  blockers: new Set<number>(),
  nextBlocker: 1,
  permissionRequest: null as ((permission: string) => Promise<boolean>) | null,
  permissionCheck: null as ((permission: string) => boolean) | null,
};

export function browserContext(): BrowserContext {
  if (host.browser === null) throw new Error("a window was made before the program was ready");
  return host.browser.context;
}

/** The program declares its schemes before it is ready. */
export function declareSchemes(schemes: readonly CustomScheme[]): void {
  if (host.browser !== null)
    throw new Error("registerSchemesAsPrivileged must be called before the app is ready");
  for (const { scheme } of schemes) host.schemes.add(scheme);
}

/** Answers every request of every page from the program's own handlers; nothing leaves the machine (toolchain §7). */
export async function answerRequest(route: Route): Promise<void> {
  const request = route.request();
  const url = fromHosted(request.url());
  if (request.isNavigationRequest() && !allowed(request, url)) return route.abort("aborted");
  const handler = url === request.url() ? undefined : host.handlers.get(url.slice(0, url.indexOf(":")));
  if (handler === undefined) return route.abort("blockedbyclient");
  const response = await handler(new Request(url, { method: request.method() }));
  await route.fulfill({
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  });
}

function allowed(request: PageRequest, url: string): boolean {
  const frame = frameOf(request);
  const page = frame?.page();
  const window = [...host.windows.values()].find((each) => page !== undefined && each.shows(page));
  // A page that is none of ours is a refused `window.open` on its way out.
  return window?.navigationStarts(url, frame === page?.mainFrame()) ?? false;
}

/** The frame a navigation belongs to; null while a page that was just opened has none yet. */
function frameOf(request: PageRequest): Frame | null {
  try {
    return request.frame();
  } catch {
    return null;
  }
}

/** Goes to an address of the program's own accord. */
export const hostedUrl = (url: string): string => {
  const scheme = url.slice(0, url.indexOf(":"));
  if (!host.schemes.has(scheme)) throw new Error(`no scheme ${scheme} was registered`);
  return toHosted(url);
};
