/** `npm run texts`: Japanese and English say the same things (operator-ux section 5.1). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { compareTexts, flatten, type Texts } from "./check/text-keys.ts";

const textsSchema: z.ZodType<Texts> = z.lazy(() => z.record(z.string(), z.union([z.string(), textsSchema])));

const read = (file: string): Texts => {
  const path = join(import.meta.dirname, "..", "shared", "text", `${file}.json`);
  return textsSchema.parse(JSON.parse(readFileSync(path, "utf8")));
};

const ja = read("ja");
const problems = [
  ...compareTexts(ja, read("en")),
  ...compareTexts(read("operations.ja"), read("operations.en")),
];
for (const problem of problems) console.error(`shared/text: ${problem}`);
console.log(`text keys: ${flatten(ja).size} texts, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
