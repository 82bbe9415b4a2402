import { beforeEach, describe, expect, it } from "vitest";
import { replaceRoute } from "../../../renderer/app/use-route.ts";
import { narrowRuns } from "../../../renderer/runs/narrow.ts";

beforeEach(() => {
  window.location.hash = "";
});

describe("narrowing the list of Runs", () => {
  it("keeps a change that was made just before, although nothing was drawn since (operator-ux U5)", () => {
    window.location.hash = "#/runs?q=stock";
    const drawn = { text: "stock" };
    narrowRuns(drawn, { text: "" }, replaceRoute);
    narrowRuns(drawn, { status: "FAILED" });
    expect(window.location.hash).toBe("#/runs?status=FAILED");
  });

  it("starts from what was drawn where the address names another page", () => {
    window.location.hash = "#/locks";
    narrowRuns({ networkId: "daily" }, { view: "grid" });
    expect(window.location.hash).toBe("#/runs?network=daily&view=grid");
  });
});
