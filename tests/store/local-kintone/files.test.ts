import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSwitches } from "../../../main/local-kintone/switches.ts";
import { basic, type HandClock, handClock } from "./preview-support.ts";
import { keyed, type RawAnswer, type Rig, startRig } from "./support.ts";

const DAY = 86_400_000;
let rig: Rig;
let clock: HandClock;
const switches = createSwitches();
beforeAll(async () => {
  clock = handClock();
  rig = await startRig({ clock, switches });
});
afterAll(() => rig.close());

const upload = async (data: string, name = "f.txt"): Promise<string> =>
  (await rig.client.file.uploadFile({ file: { name, data: Buffer.from(data) } })).fileKey;
const attach = (key: string, fileKey: string): Promise<RawAnswer> =>
  rig.send("POST", "/k/v1/record.json", {
    app: rig.app,
    record: keyed(key, { bundle: { value: [{ fileKey }] } }),
  });
async function downloadKey(id: unknown): Promise<string> {
  const { record } = await rig.client.record.getRecord({ app: rig.app, id: String(id) });
  const files: { fileKey: string }[] = JSON.parse(JSON.stringify(record.bundle?.value));
  return files[0]?.fileKey ?? "";
}

describe("files (kintone-rest §11)", () => {
  it.each([
    ["no multipart body", JSON.stringify({ file: "x" }), { "Content-Type": "application/json" }],
    [
      "a multipart body without the part",
      "--b\r\n\r\n--b--\r\n",
      { "Content-Type": "multipart/form-data; boundary=b" },
    ],
  ])("refuses %s on file", async (_, body, type) => {
    const answer = await fetch(`${rig.baseUrl}/k/v1/file.json`, {
      method: "POST",
      body,
      headers: { "X-Cybozu-API-Token": rig.token, ...type },
    });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { code: "CB_VA01", errors: { file: {} } },
    ]);
  });

  it("answers a download with the stored type and the raw bytes", async () => {
    const { json } = await attach("typed", await upload("{}", "束.json"));
    const answer = await fetch(`${rig.baseUrl}/k/v1/file.json?fileKey=${await downloadKey(json.id)}`, {
      headers: { "X-Cybozu-API-Token": rig.token },
    });
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.text()).toBe("{}");
  });

  it("says a missing file and a missing key as captured (§5)", async () => {
    const missing = await rig.send("GET", "/k/v1/file.json?fileKey=nothing");
    expect([missing.status, missing.json.code, missing.json.message]).toEqual([
      404,
      "GAIA_BL01",
      "指定したファイル（id: nothing）が見つかりません。",
    ]);
    const empty = await rig.send("GET", "/k/v1/file.json?fileKey=");
    expect(empty.json.errors).toEqual({ fileKey: { messages: ["必須です。"] } });
  });

  it("loses the code on the way through the official client, keeps the status (§1.1)", async () => {
    await expect(rig.client.file.downloadFile({ fileKey: "nothing" })).rejects.toMatchObject({
      status: 404,
      code: undefined,
    });
  });

  it("lets an upload go after its lifetime: it attaches no more and is swept", async () => {
    const [late, kept] = [await upload("late"), await upload("kept")];
    const { json } = await attach("kept", kept);
    clock.advance(3 * DAY);
    const refused = await attach("late", late);
    expect([refused.status, refused.json.code]).toEqual([404, "GAIA_BL01"]);
    await upload("sweeps");
    expect((await attach("late", late)).json.code).toBe("GAIA_BL01");
    const bytes = await rig.client.file.downloadFile({ fileKey: await downloadKey(json.id) });
    expect(Buffer.from(bytes).toString()).toBe("kept");
    switches.uploadLifetimeMs = 1_000;
    const short = await upload("short");
    clock.advance(1_000);
    expect((await attach("short", short)).json.code).toBe("GAIA_BL01");
    switches.uploadLifetimeMs = 3 * DAY;
  });

  it("asks for view on the owning app, the record and the field", async () => {
    const { provision } = rig.server;
    const { json } = await attach("guarded", await upload("secret"));
    const path = `/k/v1/file.json?fileKey=${await downloadKey(json.id)}`;
    const other = provision.createApp({ name: "other", fields: { t: { type: "SINGLE_LINE_TEXT" } } });
    const foreign = { "X-Cybozu-API-Token": provision.createToken(other, ["view"], "o") };
    expect((await rig.send("GET", path, undefined, foreign)).json.code).toBe("GAIA_AP15");
    const adder = { "X-Cybozu-API-Token": provision.createToken(rig.app, ["add"], "adder") };
    expect((await rig.send("GET", path, undefined, adder)).json.code).toBe("GAIA_NO01");
    provision.createUser({ code: "admin", name: "admin" }, "pw");
    const admin = basic("admin", "pw");
    expect((await rig.send("GET", path, undefined, admin)).text).toBe("secret");
    const hidden = { code: "bundle", entities: [] };
    await rig.send("PUT", "/k/v1/field/acl.json", { app: rig.app, rights: [hidden] }, admin);
    expect((await rig.send("GET", path, undefined, admin)).json.code).toBe("CB_NO02");
    await rig.send("PUT", "/k/v1/field/acl.json", { app: rig.app, rights: [] }, admin);
    const nobody = {
      filterCond: "",
      entities: [{ entity: { type: "USER", code: "admin" }, editable: true }],
    };
    await rig.send("PUT", "/k/v1/record/acl.json", { app: rig.app, rights: [nobody] }, admin);
    expect((await rig.send("GET", path, undefined, admin)).json.code).toBe("CB_NO02");
  });
});
