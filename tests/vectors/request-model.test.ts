import { describe, expect, it } from "vitest";
import {
  type OperationRequest,
  type ParsedRequest,
  parseRequest,
  requestedBy,
} from "../../shared/domain/index.ts";
import { loadVectors, objectOrNull, text } from "./load.ts";

/**
 * Two dispositions that never happen in the peer: an ACCEPTED record is not parsed for rejection and terminal
 * ones are never read (vectors, README).
 */
const DISPOSITION_IGNORED = [
  "parse-accepted-without-claim",
  "parse-done-without-result-code",
  "parse-cancelled-with-claim",
];

const wire = (request: OperationRequest) => ({
  id: request.id,
  revision: request.revision,
  creator_code: request.creatorCode,
  request_type: request.type,
  run_id: request.runId,
  network_id: request.networkId,
  business_key: request.businessKey,
  scheduled_for: request.scheduledFor,
  rerun_from_node: request.rerunFromNode,
  request_state: request.state,
  cancel_requested: request.cancelRequested,
});

/** What the poller does with a record it cannot accept (wire-format §4.6, orchestration §7.1). */
function disposition(parsed: Extract<ParsedRequest, { valid: false }>): string {
  if (parsed.identity === null) return "SKIP_UNIDENTIFIABLE";
  return parsed.cancelRequested ? "CANCEL" : "REJECT_REQUEST_INVALID";
}

describe("a request record is judged as the peer judges it (wire-format §1.3)", () => {
  it.each(loadVectors("request-model.json", ["parse"]))("$name", ({ name, input, expected }) => {
    const parsed = parseRequest(objectOrNull(input, "record") ?? {});
    if (parsed.valid) {
      expect({ valid: true, parsed: wire(parsed.request) }).toEqual(expected);
      return;
    }
    expect({ valid: false, issues: parsed.issues }).toEqual({
      valid: expected.valid,
      issues: expected.issues,
    });
    if (!DISPOSITION_IGNORED.includes(name)) expect(disposition(parsed)).toBe(expected.disposition);
  });
});

describe("the correlation value of a request (wire-format §4.6)", () => {
  it.each(loadVectors("request-model.json", ["requested_by"]))("$name", ({ input, expected }) => {
    const result = requestedBy(text(input, "request_id"), text(input, "creator_code"));
    expect(result.ok ? { requested_by: result.value } : { error_code: result.error.code }).toEqual(expected);
  });
});
