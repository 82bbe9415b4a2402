import { z } from "zod";
import { MODES } from "./workspace.ts";

const fault = (error: "required" | "tooLong" | "sameAccount" | "nobodyOperates") => ({ error });

const account = z
  .string()
  .max(200, fault("tooLong"))
  .refine((text) => text.trim() === text && text !== "" && !/\p{Cc}/u.test(text), fault("required"));

/** `roles.json`: accounts of the operating system and what each may do (decisions §5). */
export const rolesFile = z
  .strictObject({
    kind: z.literal("FLOWNET_ROLES"),
    formatVersion: z.literal(1),
    /** For accounts that are not listed. */
    otherAccounts: z.enum(MODES),
    accounts: z
      .array(z.strictObject({ account, mode: z.enum(MODES) }))
      .max(500)
      .readonly(),
  })
  .superRefine(({ accounts, otherAccounts }, context) => {
    const seen = new Set<string>();
    for (const [index, entry] of accounts.entries()) {
      const key = entry.account.toLowerCase();
      if (seen.has(key)) {
        context.addIssue({ code: "custom", path: ["accounts", index, "account"], message: "sameAccount" });
      }
      seen.add(key);
    }
    // A file that leaves nobody who may change it could only be corrected outside of the console.
    if (otherAccounts === "view" && accounts.every(({ mode }) => mode === "view")) {
      context.addIssue({ code: "custom", path: ["otherAccounts"], message: "nobodyOperates" });
    }
  });
export type RolesFile = z.infer<typeof rolesFile>;
