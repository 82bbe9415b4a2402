import { z } from "zod";
import type { Problem } from "../../shared/api/index.ts";
import { type DesktopTexts, fill } from "./texts.ts";

const ownerFacts = z.object({
  owner: z
    .object({
      front: z.enum(["desktop", "page", "serve"]),
      account: z.string(),
      pid: z.number(),
      image: z.string().nullable(),
      host: z.string(),
      since: z.string(),
    })
    .nullable(),
});

/**
 * A folder that somebody else holds, in the words of whoever looks at the window: who it is and what to do. Null for any
 * other problem.
 */
export function residentText({ code, details, place }: Problem, texts: DesktopTexts): string | null {
  if (code !== "RESIDENT_ALREADY_RUNNING" && code !== "RESIDENT_OWNER_UNKNOWN") return null;
  const words = texts.open.resident;
  const running = code === "RESIDENT_ALREADY_RUNNING";
  const facts = ownerFacts.safeParse(details).data?.owner ?? null;
  const owner =
    facts === null
      ? words.noOwner
      : fill(words.owner, {
          ...facts,
          front: words.front[facts.front],
          image: facts.image ?? "-",
          since: new Date(facts.since).toLocaleString(),
        });
  const next = running ? words.runningNext : words.unknownNext;
  return [running ? words.running : words.unknown, "", owner, "", next, place ?? ""].join("\n");
}
