import { readFile, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLiveStore } from "../../../../renderer/state/live.ts";
import { followLive } from "../../../../renderer/state/live-loop.ts";
import { createWorkspaceStore, type WorkspaceStore } from "../../../../renderer/state/workspace.ts";
import { DEFAULT_SETTINGS, type SettingsFile, type ViewSettings } from "../../../../shared/api/index.ts";
import { code, type EmbeddedConsole, openConsole, value } from "../../../support/console-fixture.ts";
import { rolesSample } from "../../../support/settings-samples.ts";

let opened: EmbeddedConsole;
/** A window that is open while another one saves: what it hears, and what it asks for again. */
const views: ViewSettings[] = [];
const window = { live: createLiveStore(), views };
let workspace: WorkspaceStore;
const leaving = new AbortController();
let following: Promise<void>;

beforeAll(async () => {
  opened = await openConsole();
  workspace = createWorkspaceStore({ api: opened.api });
  await workspace.load();
  following = followLive(
    {
      api: opened.api,
      onBatch(batch) {
        window.live.apply(batch);
        if (batch.settings?.view) window.views.push(batch.settings.view);
        if (batch.settings !== null) void workspace.load();
      },
      onLine: (line) => window.live.line(line),
      wait: async () => undefined,
      random: () => 0.5,
    },
    leaving.signal,
  );
}, 60_000);
afterAll(async () => {
  leaving.abort();
  await opened.close();
  await following;
}, 60_000);

/** Resolves once the window shows the fact; news are pushed to it. */
async function shows(fact: () => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (fact()) resolve();
  };
  const ends = [workspace.store.subscribe(look), window.live.store.subscribe(look)];
  look();
  await promise;
  for (const end of ends) end();
}

const save = async (change: Partial<SettingsFile>): Promise<void> => {
  const { revision } = value(await opened.api.settings.get({}));
  value(await opened.api.settings.save({ revision, settings: { ...DEFAULT_SETTINGS, ...change } }));
};
const info = () => workspace.store.getState().info.value;

describe("what is saved in one window counts at once in every other (operator-ux §1.1)", () => {
  it("language, theme, zone and budget", async () => {
    const view = {
      ...DEFAULT_SETTINGS.view,
      language: "en",
      theme: "dark",
      timeZone: "Europe/Berlin",
    } as const;
    await save({ view, budget: { requestsPerAppAndDay: 5_000 } });
    await shows(() => info()?.timeZone === "Europe/Berlin");
    await shows(() => window.live.store.getState().budget[0]?.limit === 5_000);
    expect(window.views).toEqual([view]);
  });

  it("the list of networks that may be started", async () => {
    const allowList = join(opened.dataDir, "networks.yaml");
    const text = await readFile(allowList, "utf8");
    await writeFile(allowList, text.replace("network_id: diamond", "network_id: renamed"));
    const { networks } = value(await opened.api.networks.list({}));
    expect(networks.map(({ networkId }) => networkId)).toContain("renamed");
    const { locks } = value(await opened.api.locks.list({}));
    expect(locks.map(({ networkId }) => networkId)).toContain("renamed");
    const gone = await opened.api.start.preview({ networkId: "diamond" });
    expect(gone).toMatchObject({ ok: false, error: { code: "NETWORK_NOT_ALLOWED" } });
    await writeFile(allowList, "networks: 3\n");
    expect(await opened.api.networks.list({})).toMatchObject({
      ok: false,
      error: { code: "CONFIG_SHAPE_INVALID" },
    });
    await writeFile(allowList, text);
  });

  it("a role", async () => {
    expect(info()?.mode).toBe("operate");
    const accounts = [
      { account: userInfo().username, mode: "view" },
      { account: "suzuki", mode: "approve" },
    ] as const;
    const { roles } = value(await opened.api.settings.get({}));
    value(
      await opened.api.settings.saveRoles({
        revision: roles.revision,
        roles: rolesSample({ accounts: [...accounts] }),
      }),
    );
    await shows(() => info()?.mode === "view");
    expect(info()?.modes).toEqual(["view"]);
  });

  it("one that a hand wrote into the file, with the next call that would act", async () => {
    const file = join(opened.dataDir, "roles.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, JSON.stringify(rolesSample({ otherAccounts: "operate", accounts: [] })));
    value(await opened.api.workspace.setMode({ mode: "operate" }));
    await shows(() => info()?.mode === "operate");
    await writeFile(file, text);
    const noteId = "00000000-0000-4000-8000-0000000000aa";
    const note = { noteId, runId: "netrun_1", author: "tanaka", text: "late" };
    expect(code(await opened.api.notes.add(note))).toBe("MODE_VIEW_ONLY");
    await shows(() => info()?.mode === "view");
  });

  it("which is enforced where the call arrives, whatever a page offers (electron-desktop I6)", async () => {
    const { api } = opened;
    const forged = {
      networkId: "diamond",
      businessKey: "forged",
      operationId: "00000000-0000-4000-8000-00000000f0f0",
      fingerprint: "0.0.0",
      reason: "a call past the buttons",
    };
    expect(code(await api.start.execute(forged))).toBe("MODE_VIEW_ONLY");
    expect(code(await api.workspace.setMode({ mode: "operate" }))).toBe("MODE_NOT_ALLOWED");
    const { revision, roles } = value(await api.settings.get({}));
    expect(code(await api.settings.save({ revision, settings: DEFAULT_SETTINGS }))).toBe("MODE_TOO_LOW");
    const all = rolesSample({ otherAccounts: "approve" });
    expect(code(await api.settings.saveRoles({ revision: roles.revision, roles: all }))).toBe("MODE_TOO_LOW");
    const token = { connectionId: "prod", slot: "state", token: "forged" };
    expect(code(await api.settings.setToken(token))).toBe("MODE_TOO_LOW");
    expect(code(await api.operations.get({ operationId: forged.operationId }))).toBe("OPERATION_UNKNOWN");
  });
});
