import type { Services } from "../api/services.ts";
import type { KintoneResponse } from "../model.ts";
import { targetOf } from "./actions.ts";
import type { JournalFacts, JournalPart } from "./journal-schema.ts";
import type { Subject, SubjectPart } from "./subject.ts";

/** Longest path the journal keeps. */
export const LONGEST_PATH = 200;
const MOST = 100;

function revisionOf(services: Services, part: SubjectPart): number | null {
  const app = part.app === null ? null : services.apps.find(Number(part.app));
  const id = app === null || part.method === "POST" ? null : targetOf(services, app, part);
  if (app === null || id === null || !Number.isSafeInteger(id)) return null;
  return services.records.find(app, id)?.revision ?? null;
}

/**
 * What the journal says about the calls of a request: the entries of a bulk, else the request itself. Called twice,
 * before and after, for the two revisions.
 */
export function describeParts(
  services: Services,
  subject: Subject,
  before: readonly JournalPart[] = [],
): JournalPart[] {
  const parts = subject.parts.length > 1 ? subject.parts.slice(1) : subject.parts;
  return parts.map((part, index) => {
    const revision = revisionOf(services, part);
    return {
      method: part.method.slice(0, 20),
      path: part.path.slice(0, LONGEST_PATH),
      app: part.app?.slice(0, 20) ?? null,
      records: part.ids.slice(0, MOST).map((id) => id.slice(0, 20)),
      fields: [...new Set(part.rows.flatMap((row) => Object.keys(row)))].sort().slice(0, MOST),
      revisionBefore: before[index] === undefined ? revision : before[index].revisionBefore,
      revisionAfter: revision,
    };
  });
}

/** How an answer went, in the journal's words. */
export function deliveryOf(
  response: KintoneResponse,
): Extract<JournalFacts, { kind: "request" }>["delivery"] {
  return response.delivery?.kind ?? "sent";
}
