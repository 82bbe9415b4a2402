import { z } from "zod";
import type { Clock, Person } from "../model.ts";
import { type Database, integer, type Row, text } from "./database.ts";

export const MENTION_TYPES = ["USER", "GROUP", "ORGANIZATION"] as const;
const mentionsSchema = z.array(z.object({ code: z.string(), type: z.enum(MENTION_TYPES) }));
export type Mention = z.output<typeof mentionsSchema>[number];
const personSchema = z.object({ code: z.string(), name: z.string() });

export interface Comment {
  readonly id: number;
  readonly text: string;
  readonly createdAt: string;
  readonly creator: Person;
  readonly mentions: readonly Mention[];
}

/** Comments of records (kintone-rest §6); `record` is the combined key. Writes expect to run inside a write. */
export interface CommentStore {
  add(record: number, comment: Pick<Comment, "text" | "creator" | "mentions">): number;
  find(record: number, id: number): Comment | null;
  remove(record: number, id: number): void;
  /** A page, newest or oldest first, and whether there is more behind it. */
  page(record: number, page: CommentPage): { readonly comments: readonly Comment[]; readonly more: boolean };
  /** Forgets all comments of a record. */
  drop(record: number): void;
}
export interface CommentPage {
  readonly order: "asc" | "desc";
  readonly offset: number;
  readonly limit: number;
}

function readComment(row: Row): Comment {
  return {
    id: integer(row, "id"),
    text: text(row, "text"),
    createdAt: text(row, "created_at"),
    creator: personSchema.parse(JSON.parse(text(row, "creator"))),
    mentions: mentionsSchema.parse(JSON.parse(text(row, "mentions"))),
  };
}

/** Creates the store of comments. Ids ascend within a record and are not used twice. */
export function createCommentStore(database: Database, clock: Clock): CommentStore {
  const nextId = (record: number): number => {
    const row = database
      .sql(
        `INSERT INTO comment_ids (record, last) VALUES (?, 1)
         ON CONFLICT (record) DO UPDATE SET last = last + 1 RETURNING last`,
      )
      .get(record);
    if (row === undefined) throw new Error("a comment got no id");
    return integer(row, "last");
  };
  return {
    add(record, { text: words, creator, mentions }) {
      const id = nextId(record);
      const at = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
      database
        .sql(
          "INSERT INTO comments (record, id, text, mentions, created_at, creator) VALUES (?, ?, ?, ?, ?, ?)",
        )
        .run(record, id, words, JSON.stringify(mentions), at, JSON.stringify(creator));
      return id;
    },
    find(record, id) {
      const row = database.sql("SELECT * FROM comments WHERE record = ? AND id = ?").get(record, id);
      return row === undefined ? null : readComment(row);
    },
    remove(record, id) {
      database.sql("DELETE FROM comments WHERE record = ? AND id = ?").run(record, id);
    },
    page(record, { order, offset, limit }) {
      const rows = database
        .sql(`SELECT * FROM comments WHERE record = ? ORDER BY id ${order} LIMIT ? OFFSET ?`)
        .all(record, limit + 1, offset);
      return { comments: rows.slice(0, limit).map(readComment), more: rows.length > limit };
    },
    drop(record) {
      database.sql("DELETE FROM comments WHERE record = ?").run(record);
      database.sql("DELETE FROM comment_ids WHERE record = ?").run(record);
    },
  };
}
