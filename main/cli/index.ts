/** `flownet`: the entry; the command line is loaded only once there is a place for what it compiles to. */
import { keepCompiled } from "./compiled.ts";

keepCompiled(process.env, process.platform);
await import("./command-line.ts");
