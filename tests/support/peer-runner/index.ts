import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { installPackage } from "../npm-package.ts";

const ENGINE = resolve(import.meta.dirname, "engine.ts");

/**
 * The published runner 0.9.0 in `folder`, with our stand-in where its SQL engine would be (job-dialect §11).
 * Gives the path of its command line.
 */
export async function installPeerRunner(folder: string): Promise<string> {
  const runner = { name: "@rex0220/ksql-flow", version: "0.9.0", dependencies: false, folder };
  const { path, modules } = await installPackage(runner);
  const encoding = await installPackage({ name: "encoding-japanese", version: "2.2.0" });
  cpSync(encoding.path, join(modules, "encoding-japanese"), { recursive: true });
  const engine = join(modules, "@rex0220", "kintone-sql-tools");
  mkdirSync(engine, { recursive: true });
  writeFileSync(
    join(engine, "package.json"),
    JSON.stringify({ name: "@rex0220/kintone-sql-tools", exports: { "./flow": "./flow.cjs" } }),
  );
  // Types are not stripped below node_modules, so only this one line lies there.
  writeFileSync(join(engine, "flow.cjs"), `module.exports = require(${JSON.stringify(ENGINE)});\n`);
  return join(path, "dist", "cli.js");
}
