/**
 * The rooms of architecture section 3 and the doors between them. A path is relative to the repository,
 * with forward slashes.
 */

/** How far a door opens: `any` for code, `types` where the architecture says "ports only" or "interface". */
export type Door = "any" | "types";

export interface Room {
  readonly name: string;
  readonly doors: Readonly<Record<string, Door>>;
  /** Open shelves are imported file by file; every other room only through its `index.ts`. */
  readonly openShelf: boolean;
}

const SHARED = { "shared/*": "any" } as const;

/** Longest name first wins: `main/store/kintone` is a room inside `main/store`. */
const ROOMS: readonly Room[] = [
  shelf("shared/domain", { "shared/domain": "any" }),
  ...["records", "contract", "bundle", "fleet", "api", "text"].map((name) => shelf(`shared/${name}`, SHARED)),
  shelf("renderer", { ...SHARED, renderer: "any" }),
  room("main/orchestrator", {
    ...SHARED,
    "main/store": "types",
    "main/attempt": "any",
    "main/process": "types",
  }),
  room("main/attempt", { ...SHARED, "main/store": "types", "main/process": "types" }),
  // The entrance of the store hands out its only implementation; nobody but the composition root takes it.
  room("main/store", { ...SHARED, "main/store/kintone": "any" }),
  room("main/store/kintone", { ...SHARED, "main/store": "types", "main/kintone-client": "any" }),
  room("main/kintone-client", SHARED),
  room("main/process", SHARED),
  room("main/bundles", SHARED),
  room("main/local-kintone", SHARED),
  room("main/fleet", SHARED),
  room("main/job-runner", { ...SHARED, "main/kintone-client": "any" }),
  room("main/drills", {
    ...SHARED,
    "main/orchestrator": "any",
    "main/store": "any",
    "main/store/kintone": "any",
    "main/process": "any",
  }),
  room("main/drills/simulation", {
    ...SHARED,
    "main/drills": "any",
    "main/orchestrator": "any",
    "main/store": "any",
    "main/store/kintone": "any",
    "main/process": "any",
    "main/local-kintone": "any",
  }),
  room("main/console", { ...SHARED, ...behindTheFronts() }),
  // Menus and dialogs of the desktop are said by main: their texts stand beside those of the pages.
  room("main/desktop", { "shared/api": "any", "shared/text": "any", "main/console": "any" }),
  room("main/loopback", { "shared/api": "any", "main/console": "any" }),
  room("main/cli", { ...SHARED, ...behindTheFronts(), "main/console": "any", "main/loopback": "any" }),
  room("main/index.ts", { ...SHARED, "main/*": "any" }),
  shelf("tests", { "shared/*": "any", "main/*": "any", renderer: "any", tools: "any", tests: "any" }),
  shelf("tools", { ...SHARED, tools: "any" }),
  shelf("configuration", { tools: "any", tests: "any" }),
];

function behindTheFronts(): Record<string, Door> {
  const names = [
    "orchestrator",
    "attempt",
    "store",
    "store/kintone",
    "kintone-client",
    "process",
    "bundles",
    "local-kintone",
    "job-runner",
    "drills",
    "fleet",
  ];
  return Object.fromEntries(names.map((name) => [`main/${name}`, "any" as const]));
}

function room(name: string, doors: Readonly<Record<string, Door>>): Room {
  return { name, doors, openShelf: false };
}

function shelf(name: string, doors: Readonly<Record<string, Door>>): Room {
  return { name, doors, openShelf: true };
}

/** The room a file stands in; null for a file the house has no place for. */
export function roomOf(path: string): Room | null {
  const name = /^[^/]+\.config\.ts$/.test(path) ? "configuration" : path;
  const found = ROOMS.filter((room) => name === room.name || name.startsWith(`${room.name}/`));
  return found.sort((left, right) => right.name.length - left.name.length)[0] ?? null;
}

/** The door from one room to another: null when there is none. A room is always open to itself. */
export function doorBetween(from: Room, to: Room): Door | null {
  if (from === to) return "any";
  return from.doors[to.name] ?? from.doors[`${to.name.split("/")[0] ?? ""}/*`] ?? null;
}
