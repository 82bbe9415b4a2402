import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const schema = z.object({ version: z.string() });

/** The product's version, from the one place that states it. */
export const VERSION: string = schema.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, "..", "..", "package.json"), "utf8")),
).version;
