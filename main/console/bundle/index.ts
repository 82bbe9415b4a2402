/** Evidence of a Run and a diagnosis of the program, as one file each (operator-ux §1.2, electron-desktop G5). */
export { type Bundles, createBundles } from "./bundles.ts";
