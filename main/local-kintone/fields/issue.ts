import type { Text } from "../errors.ts";

/** One thing wrong with a form. `code` is kintone's or, where only this server refuses, `LOCAL_…`. */
export interface DefinitionIssue {
  readonly code: string;
  /** As error keys name it: `properties[<field>].<property>`. */
  readonly path: string;
  readonly text: Text;
}
