import { z } from "zod";
import { requireRecord } from "../access/enforce.ts";
import { invalid, KintoneError } from "../errors.ts";
import type { AppState } from "../model.ts";
import { MENTION_TYPES, type Mention } from "../storage/comments.ts";
import { recordKey } from "../storage/render.ts";
import { longerThan, noPrivilege, recordNotFound, TEXT, unknownPerson } from "../texts.ts";
import { positiveInteger } from "./params.ts";
import type { Result } from "./record-endpoints.ts";
import { type Call, callApp, type Services } from "./services.ts";
import { readShape } from "./shape.ts";

const MAX_PAGE = 10;
/** Characters of a comment and mentions in one (kintone-rest §8.3). */
const MAX_TEXT = 65_535;
const MAX_MENTIONS = 10;
const commentInput = z.object({
  text: z.string().default(""),
  mentions: z.array(z.object({ code: z.string(), type: z.enum(MENTION_TYPES) })).default([]),
});

/** 400 `GAIA_RE02`: not a 404, as one would think (kintone-rest §5). */
const commentNotFound = (): KintoneError =>
  new KintoneError(400, "GAIA_RE02", {
    ja: "指定したコメントが存在しません。削除された可能性があります。",
    en: "The specified comment does not exist. The comment may have been deleted.",
  });

/** The code is chosen here: comments can be switched off in the settings of an app. */
const commentsOff = (): KintoneError =>
  new KintoneError(400, "GAIA_RE05", {
    ja: "このアプリではコメント機能が無効化されています。",
    en: "Comments are disabled in this app.",
  });

interface Place {
  readonly app: AppState;
  /** Combined key of the record. */
  readonly key: number;
}

/** The record of a call; seeing it is what comments need. */
function commented(services: Services, call: Call): Place {
  const app = callApp(services, call);
  const id = positiveInteger(call.params.record, "record");
  call.actor.require(app, "view");
  const record = services.records.find(app, id);
  if (record === null) throw recordNotFound(id);
  requireRecord(services, call, app, record, "viewable");
  if (!app.settings.enableComments) throw commentsOff();
  return { app, key: recordKey(app.id, id) };
}

function checkMentions(services: Services, mentions: readonly Mention[]): void {
  if (mentions.length > MAX_MENTIONS) throw invalid("comment.mentions", TEXT.badShape);
  for (const { code, type } of mentions) {
    if (services.people.nameOf(type, code) === null) throw unknownPerson(type, code);
  }
}

/** POST `record/comment.json`: the record's revision stays (kintone-rest §6, §7). */
export function postComment(services: Services, call: Call): Result {
  const { key } = commented(services, call);
  const { text, mentions } = readShape(commentInput, call.params.comment, "comment");
  if (text === "" && mentions.length === 0) throw invalid("comment.text", TEXT.parameterRequired);
  if (text.length > MAX_TEXT) throw invalid("comment.text", longerThan(MAX_TEXT));
  checkMentions(services, mentions);
  return { id: String(services.comments.add(key, { text, mentions, creator: call.actor.person })) };
}

/** DELETE `record/comment.json`: one's own comments only (kintone-rest §6). */
export function deleteComment(services: Services, call: Call): Result {
  const { key } = commented(services, call);
  const id = positiveInteger(call.params.comment, "comment");
  const comment = services.comments.find(key, id);
  if (comment === null) throw commentNotFound();
  if (comment.creator.code !== call.actor.person.code) throw noPrivilege();
  services.comments.remove(key, id);
  return {};
}

function count(value: unknown, key: string, fallback: number, least: number): number {
  if (value === undefined || value === null || value === "") return fallback;
  if (least === 0 && String(value) === "0") return 0;
  return positiveInteger(value, key);
}

function readOrder(value: unknown): "asc" | "desc" {
  if (value === undefined || value === null || value === "") return "desc";
  if (value === "asc" || value === "desc") return value;
  throw invalid("order", TEXT.enumValue);
}

/** GET `record/comments.json`: `limit` up to 10, newest first unless asked otherwise (kintone-rest §6). */
export function getComments(services: Services, call: Call): Result {
  const { params } = call;
  const { key } = commented(services, call);
  const order = readOrder(params.order);
  const offset = count(params.offset, "offset", 0, 0);
  const limit = count(params.limit, "limit", MAX_PAGE, 0);
  if (limit > MAX_PAGE) {
    throw invalid("limit", { ja: "最大でも10以下です。", en: "must be less than or equal to 10" });
  }
  const { comments, more } = services.comments.page(key, { order, offset, limit });
  const shown = comments.map((comment) => ({ ...comment, id: String(comment.id) }));
  const before = offset > 0;
  const ends = order === "desc" ? { older: more, newer: before } : { older: before, newer: more };
  return { comments: shown, ...ends };
}
