/** `npm run texts`: Japanese and English say the same things (operator-ux section 5.1). */
import { join } from "node:path";
import { readSubjects, subjectFaults } from "./check/text-files.ts";
import { flatten } from "./check/text-keys.ts";

const subjects = readSubjects(join(import.meta.dirname, "..", "shared", "text"));
const problems = subjectFaults(subjects);
for (const problem of problems) console.error(`shared/text: ${problem}`);
const texts = subjects.reduce((sum, { ja }) => sum + flatten(ja).size, 0);
console.log(`text keys: ${texts} texts, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
