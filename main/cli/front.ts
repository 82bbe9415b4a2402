/** What decides which front `start` opens (decisions section 2). */
export interface FrontFacts {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Electron's executable, when its unpacked build is there. */
  readonly electron: string | null;
  /** The main bundle and the preload are built. */
  readonly built: boolean;
  /** How the one try to download the build ended; null before it. */
  readonly installed: "failed" | "timed-out" | null;
  /** The operator asked for the page: a port or no window. */
  readonly pageWanted: boolean;
}

export type FrontDecision =
  | { readonly front: "desktop"; readonly electron: string; readonly why: string }
  | { readonly front: "install"; readonly why: string }
  | { readonly front: "page"; readonly why: string };

const page = (why: string): FrontDecision => ({ front: "page", why });

/**
 * The first front that works: Electron where its build is present; else, on Windows and macOS, one bounded try to get
 * it; else the page in a browser. Every answer says why.
 */
export function decideFront(facts: FrontFacts): FrontDecision {
  const { platform, env, electron, installed } = facts;
  if (facts.pageWanted) return page("--port or --no-open was given");
  if (!hasDisplay(platform, env)) return page("this session has no display for a window");
  if (!facts.built) return page("the desktop program has not been built; npm start builds it");
  if (electron !== null) {
    return { front: "desktop", electron, why: `Electron's build is present at ${electron}` };
  }
  if ((env.ELECTRON_OVERRIDE_DIST_PATH ?? "") !== "") {
    return page("ELECTRON_OVERRIDE_DIST_PATH names a folder without Electron in it");
  }
  if (platform !== "win32" && platform !== "darwin") return page("Electron's build is not on this machine");
  if (installed === null) return { front: "install", why: "Electron's build is not here yet" };
  return page(
    installed === "failed"
      ? "Electron's build could not be downloaded; see above"
      : "Electron's build did not arrive within 120 seconds",
  );
}

/** Windows and macOS have one for whoever is logged on; elsewhere the session says so. */
function hasDisplay(platform: NodeJS.Platform, env: FrontFacts["env"]): boolean {
  if (platform === "win32" || platform === "darwin") return true;
  return (env.DISPLAY ?? "") !== "" || (env.WAYLAND_DISPLAY ?? "") !== "";
}
