import { z } from "zod";
import type { Person } from "../model.ts";
import { type Database, type Row, text } from "./database.ts";

export const LANGUAGES = ["auto", "ja", "en", "zh"] as const;
export const accountProfileSchema = z.object({
  /** Manages every app; true unless said otherwise. */
  administrator: z.boolean().default(true),
  /** `auto` follows the caller's Accept-Language (kintone-rest §3). */
  language: z.enum(LANGUAGES).default("auto"),
  groups: z.array(z.string()).default([]),
  organizations: z.array(z.string()).default([]),
  primaryOrganization: z.string().nullable().default(null),
  /** Refused over REST with `CB_TW02` (kintone-rest §4). */
  twoFactor: z.boolean().default(false),
});
export type AccountProfile = z.output<typeof accountProfileSchema>;
export type AccountProfileInput = z.input<typeof accountProfileSchema>;

/** A user as rights see one. */
export interface Account extends Person {
  readonly administrator: boolean;
  readonly language: AccountProfile["language"];
  readonly groups: ReadonlySet<string>;
  readonly organizations: ReadonlySet<string>;
  /** The organisations with every one above them: whom `includeSubs` of those above reaches. */
  readonly organizationsAbove: ReadonlySet<string>;
  readonly primaryOrganization: string | null;
  readonly twoFactor: boolean;
}

export function parseProfile(json: string): AccountProfile {
  return accountProfileSchema.parse(JSON.parse(json));
}

function withAncestors(database: Database, codes: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const next = [...codes];
  for (let code = next.pop(); code !== undefined; code = next.pop()) {
    if (found.has(code)) continue;
    found.add(code);
    const parent = database.sql("SELECT parent FROM organizations WHERE code = ?").get(code)?.parent;
    if (typeof parent === "string") next.push(parent);
  }
  return found;
}

/** The account of a row of `users`. */
export function readAccount(database: Database, row: Row): Account {
  const profile = parseProfile(text(row, "profile"));
  return {
    code: text(row, "code"),
    name: text(row, "name"),
    administrator: profile.administrator,
    language: profile.language,
    groups: new Set(profile.groups),
    organizations: new Set(profile.organizations),
    organizationsAbove: withAncestors(database, profile.organizations),
    primaryOrganization: profile.primaryOrganization ?? profile.organizations[0] ?? null,
    twoFactor: profile.twoFactor,
  };
}
