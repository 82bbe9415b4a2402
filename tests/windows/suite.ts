/**
 * The child-process manager with real processes (execution plane; toolchain §9): one suite for every system. Here it
 * runs as `node tests/windows/suite.ts`, on Windows Node under Wine by `npm run test:windows`.
 */
import "./identity.test.ts";
import "./start.test.ts";
import "./batch.test.ts";
import "./tree.test.ts";
import "./stop.test.ts";
import "./output.test.ts";
import "./lock-owner.test.ts";
import "./runner.test.ts";
import "./survive.test.ts";
import "./attempt.test.ts";
import "./locked-files.test.ts";
