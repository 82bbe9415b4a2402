import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { compareTexts, type Texts } from "./text-keys.ts";

const textsSchema: z.ZodType<Texts> = z.lazy(() => z.record(z.string(), z.union([z.string(), textsSchema])));

/** Both languages of one subject: `<name>.ja.json` and `<name>.en.json`, or the two without a name. */
export interface TextSubject {
  readonly name: string;
  readonly ja: Texts;
  readonly en: Texts;
}

/** Every pair of text files of a folder. Throws where one of a pair is missing or is no tree of texts. */
export function readSubjects(folder: string): readonly TextSubject[] {
  const read = (file: string): Texts =>
    textsSchema.parse(JSON.parse(readFileSync(join(folder, file), "utf8")));
  const names = readdirSync(folder).flatMap((file) => /^((?:.+\.)?)(?:ja|en)\.json$/.exec(file)?.[1] ?? []);
  return [...new Set(names)].sort().map((name) => ({
    name: name.slice(0, -1),
    ja: read(`${name}ja.json`),
    en: read(`${name}en.json`),
  }));
}

/** What is wrong with them: languages that differ, and first keys that stand in two files, of which one would be lost. */
export function subjectFaults(subjects: readonly TextSubject[]): readonly string[] {
  const faults = subjects.flatMap(({ name, ja, en }) =>
    compareTexts(ja, en).map((fault) => (name === "" ? fault : `${name}: ${fault}`)),
  );
  const owner = new Map<string, string>();
  for (const { name, ja } of subjects) {
    for (const key of Object.keys(ja)) {
      const other = owner.get(key);
      if (other !== undefined) faults.push(`${key}: stands in "${other}" and in "${name}"`);
      owner.set(key, name);
    }
  }
  return faults;
}
