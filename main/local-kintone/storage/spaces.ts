import { z } from "zod";
import { KintoneError } from "../errors.ts";
import type { Person } from "../model.ts";
import { noPrivilege } from "../texts.ts";
import { type Database, integer, type Row, text } from "./database.ts";

export interface Space {
  readonly id: number;
  readonly name: string;
  readonly isGuest: boolean;
  readonly defaultThread: number;
  readonly creator: Person;
}

/** Spaces apps live in (kintone-rest §4). */
export interface SpaceStore {
  /** The space for a call on this path; throws where the path and the kind of space do not go together. */
  open(id: number, guestSpaceId: number | null): Space;
  /** Creates a space and answers its id. */
  create(space: { readonly name: string; readonly isGuest: boolean; readonly creator: Person }): number;
}

const personSchema = z.object({ code: z.string(), name: z.string() });

/** 404; the code is chosen here. */
const spaceNotFound = (id: number): KintoneError =>
  new KintoneError(404, "GAIA_SP01", {
    ja: `指定したスペース（id: ${id}）が見つかりません。`,
    en: `The specified space (id: ${id}) is not found.`,
  });

/** 400 `GAIA_IL23` for a guest space on the ordinary path (kintone-rest §4). */
const guestPathNeeded = (id: number): KintoneError =>
  new KintoneError(400, "GAIA_IL23", {
    ja: `ゲストスペースです。パスを「/k/guest/${id}/v1/」にしてください。`,
    en: `The space is a guest space. Use the path "/k/guest/${id}/v1/".`,
  });

function readSpace(row: Row): Space {
  return {
    id: integer(row, "id"),
    name: text(row, "name"),
    isGuest: integer(row, "guest") === 1,
    defaultThread: integer(row, "thread"),
    creator: personSchema.parse(JSON.parse(text(row, "creator"))),
  };
}

/** Creates the store of spaces. */
export function createSpaceStore(database: Database): SpaceStore {
  const find = (id: number): Space | null => {
    const row = database.sql("SELECT * FROM spaces WHERE id = ?").get(id);
    if (row !== undefined) return readSpace(row);
    // Apps of a set-up may name a guest space nobody made.
    const used = database.sql("SELECT 1 FROM apps WHERE guest_space = ? LIMIT 1").get(id);
    if (used === undefined) return null;
    const creator = { code: "Administrator", name: "Administrator" };
    return { id, name: `${id}`, isGuest: true, defaultThread: id, creator };
  };
  return {
    open(id, guestSpaceId) {
      const space = find(id);
      if (space === null) throw spaceNotFound(id);
      if (guestSpaceId === null && space.isGuest) throw guestPathNeeded(id);
      if (guestSpaceId !== null && guestSpaceId !== id) throw noPrivilege();
      return space;
    },
    create: ({ name, isGuest, creator }) =>
      database.write(() => {
        const put = "INSERT INTO spaces (name, guest, creator, thread) VALUES (?, ?, ?, 0)";
        const result = database.sql(put).run(name, isGuest ? 1 : 0, JSON.stringify(creator));
        const id = Number(result.lastInsertRowid);
        database.sql("UPDATE spaces SET thread = id WHERE id = ?").run(id);
        return id;
      }),
  };
}
