import { KintoneError } from "../errors.ts";
import type { Clock, KintoneRequest, KintoneResponse } from "../model.ts";
import { refusal, type Wording } from "./answers.ts";
import type { ServerCore } from "./core.ts";
import { deliveryOf, describeParts, LONGEST_PATH } from "./describe.ts";
import type { Journal } from "./journal.ts";
import type { JournalPart } from "./journal-schema.ts";
import type { Passage } from "./passage.ts";
import type { Pipeline } from "./pipeline.ts";
import { codeOf } from "./reshape.ts";
import { readSubject } from "./subject.ts";

export interface Attendance {
  readonly core: ServerCore;
  readonly pipeline: Pipeline;
  readonly journal: Journal;
  /** The server's clock, shifted or not. */
  readonly clock: Clock;
  readonly wording: Wording;
}

/** A rule that could not be carried out must look like nothing kintone says. */
function failed({ request, subject }: Passage, error: unknown, wording: Wording): KintoneResponse {
  const text = `A fault rule could not be carried out: ${error instanceof Error ? error.message : "unknown"}`;
  const failure = new KintoneError(500, "LOCAL_FAULT_FAILED", { ja: text, en: text });
  return refusal(failure, request, subject, { index: null, wording });
}

/** Whoever looks at the server with a browser sees that it may misbehave (kintone-rest §19). */
function withBanner({ subject }: Passage, response: KintoneResponse): KintoneResponse {
  if (subject.parts[0]?.path.startsWith("/k/") !== false) return response;
  return { ...response, headers: { ...response.headers, "X-Local-Kintone-Faults": "active" } };
}

function note(
  { journal, core }: Attendance,
  passage: Passage,
  response: KintoneResponse,
  before: { readonly serverTime: string; readonly parts: readonly JournalPart[] },
): void {
  const { subject, rules, heldMs } = passage;
  const [call] = subject.parts;
  journal.write({
    kind: "request",
    serverTime: before.serverTime,
    client: subject.client,
    method: call?.method ?? "",
    path: (call?.path ?? "").slice(0, LONGEST_PATH),
    parts: describeParts(core.services(), subject, before.parts),
    status: response.status === 0 ? null : response.status,
    code: codeOf(response),
    delivery: deliveryOf(response),
    rules,
    heldMs,
  });
}

/** Answers one request through the rules and writes its line of the journal; never rejects (kintone-rest §19). */
export async function attend(attendance: Attendance, request: KintoneRequest): Promise<KintoneResponse> {
  const { core, pipeline, clock, wording } = attendance;
  const passage: Passage = { request, subject: readSubject(request), rules: [], heldMs: 0, finally: [] };
  const serverTime = new Date(clock.now()).toISOString();
  const before = { serverTime, parts: describeParts(core.services(), passage.subject) };
  const response = await pipeline
    .run(passage)
    .catch((error: unknown) => failed(passage, error, wording))
    .finally(() => {
      for (const end of passage.finally) end();
    });
  note(attendance, passage, response, before);
  return withBanner(passage, response);
}
