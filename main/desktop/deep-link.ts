import { UI_PAGE } from "./origin.ts";

export const LINK_SCHEME = "flownet-console";
const AREAS: readonly string[] = [
  "attention",
  "runs",
  "locks",
  "requests",
  "processes",
  "audit",
  "guidance",
  "start",
  "settings",
];
const RUN = /^\/([A-Za-z0-9][A-Za-z0-9_.@:-]{0,199})$/;

/**
 * The page a link opens, or null (electron-desktop P7). Links come by mail: they may open a view and nothing else,
 * carry no parameters, and what is not exactly one of these forms is no link: `flownet-console://<area>` and
 * `flownet-console://runs/<run id>`.
 */
export function pageOfLink(text: string): string | null {
  if (text.length > 300 || !text.startsWith(`${LINK_SCHEME}://`)) return null;
  const rest = text.slice(LINK_SCHEME.length + 3).replace(/\/$/, "");
  if (AREAS.includes(rest)) return `${UI_PAGE}#/${rest}`;
  const run = rest.startsWith("runs/") ? RUN.exec(rest.slice("runs".length))?.[1] : undefined;
  return run === undefined ? null : `${UI_PAGE}#/runs/${encodeURIComponent(run)}`;
}

/** The page a command line asks for: its only link, if it has exactly one. */
export function pageOfArguments(argv: readonly string[]): string | null {
  const links = argv.filter((argument) => argument.startsWith(`${LINK_SCHEME}:`));
  return links.length === 1 ? pageOfLink(links[0] ?? "") : null;
}
