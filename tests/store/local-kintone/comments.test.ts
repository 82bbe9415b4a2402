import type { KintoneRestAPIClient } from "@kintone/rest-api-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handClock, userClient } from "./preview-support.ts";
import { keyed, type RawAnswer, type Rig, startRig } from "./support.ts";

let rig: Rig;
let writer: KintoneRestAPIClient;
let record: string;
beforeAll(async () => {
  rig = await startRig({ clock: handClock() });
  writer = userClient(rig, "writer");
  rig.server.provision.createGroup({ code: "sales", name: "営業" });
  record = (await rig.client.record.addRecord({ app: rig.app, record: keyed("commented") })).id;
});
afterAll(() => rig.close());

const post = (comment: unknown): Promise<RawAnswer> =>
  rig.send("POST", "/k/v1/record/comment.json", { app: rig.app, record, comment });

describe("comments (kintone-rest §6)", () => {
  it("are added, listed newest first in pages of ten, and leave the revision alone (§7)", async () => {
    const { app } = rig;
    for (let index = 1; index <= 12; index += 1) {
      const { id } = await writer.record.addRecordComment({ app, record, comment: { text: `c${index}` } });
      expect(id).toBe(String(index));
    }
    const page = await writer.record.getRecordComments({ app, record });
    expect(page.comments.map((comment) => comment.id)).toEqual(
      Array.from({ length: 10 }, (_, index) => String(12 - index)),
    );
    expect([page.older, page.newer]).toEqual([true, false]);
    expect(page.comments[0]).toEqual({
      id: "12",
      text: "c12",
      createdAt: "2026-09-01T03:04:05Z",
      creator: { code: "writer", name: "writer" },
      mentions: [],
    });
    const rest = await writer.record.getRecordComments({ app, record, offset: 10 });
    expect([rest.comments.length, rest.older, rest.newer]).toEqual([2, false, true]);
    const oldest = await writer.record.getRecordComments({ app, record, order: "asc", limit: 3 });
    expect([oldest.comments.map(({ id }) => id), oldest.older, oldest.newer]).toEqual([
      ["1", "2", "3"],
      false,
      true,
    ]);
    const { record: read } = await rig.client.record.getRecord({ app, id: record });
    expect(read.$revision?.value).toBe("1");
  });

  it("mention users, groups and organisations that exist", async () => {
    const mentions = [
      { code: "writer", type: "USER" },
      { code: "sales", type: "GROUP" },
    ];
    expect((await post({ text: "see", mentions })).status).toBe(200);
    const { comments } = await writer.record.getRecordComments({ app: rig.app, record, limit: 1 });
    expect(comments[0]?.mentions).toEqual(mentions);
    expect((await post({ text: "x", mentions: [{ code: "nobody", type: "USER" }] })).json.code).toBe(
      "GAIA_IL26",
    );
  });

  it.each([
    [undefined, "comment"],
    [{ text: "" }, "comment.text"],
    [{ text: "x".repeat(65_536) }, "comment.text"],
  ])("refuse %j at the right place", async (comment, key) => {
    const answer = await post(comment);
    expect([answer.status, Object.keys(JSON.parse(JSON.stringify(answer.json.errors)))]).toEqual([
      400,
      [key],
    ]);
  });

  it.each(["limit=11", "order=up", "limit=x"])("refuse a list with %s", async (more) => {
    const path = `/k/v1/record/comments.json?app=${rig.app}&record=${record}&${more}`;
    expect((await rig.send("GET", path)).json.code).toBe("CB_VA01");
  });

  it("are deleted by their writer alone; a missing one is 400 GAIA_RE02 (§5)", async () => {
    const { app } = rig;
    const { id } = await writer.record.addRecordComment({ app, record, comment: { text: "mine" } });
    const remove = (comment: string): Promise<RawAnswer> =>
      rig.send("DELETE", "/k/v1/record/comment.json", { app, record, comment });
    expect((await remove(id)).json.code).toBe("CB_NO02");
    expect(await writer.record.deleteRecordComment({ app, record, comment: id })).toEqual({});
    const missing = await remove(id);
    expect([missing.status, missing.json.code, missing.json.message]).toEqual([
      400,
      "GAIA_RE02",
      "指定したコメントが存在しません。削除された可能性があります。",
    ]);
  });

  it("go with their record", async () => {
    const { app, client } = rig;
    const { id } = await client.record.addRecord({ app, record: keyed("gone") });
    await client.record.addRecordComment({ app, record: id, comment: { text: "c" } });
    await client.record.deleteRecords({ app, ids: [id] });
    const path = `/k/v1/record/comments.json?app=${app}&record=${id}`;
    const answer = await rig.send("GET", path);
    expect([answer.status, answer.json.code]).toEqual([404, "GAIA_RE01"]);
  });
});
