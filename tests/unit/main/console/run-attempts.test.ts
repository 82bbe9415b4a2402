import { describe, expect, it } from "vitest";
import { attemptsPage } from "../../../../main/console/api/run-attempts.ts";
import { storedAttempt } from "../../shared/domain/run-records.ts";

const BASELINE = '{"version":1,"kind":"KSQL_FLOWNET_INPUT_BASELINE","inputs":[]}';

describe("the message of an attempt on a page (W-17b)", () => {
  it.each([
    ["ASSERT failed at line 3", "ASSERT failed at line 3"],
    [null, null],
    [BASELINE, null],
    ['{"some":"json a job printed"}', '{"some":"json a job printed"}'],
  ])("%j shows as %j", (errorMessage, shown) => {
    const { attempts } = attemptsPage([storedAttempt({ errorMessage })], {});
    expect(attempts.map((attempt) => attempt.errorMessage)).toEqual([shown]);
  });
});
