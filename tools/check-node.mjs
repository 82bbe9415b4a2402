/**
 * Refuses any Node but the pinned one, before anything that needs it. Plain JavaScript of the oldest kind:
 * it must run, and speak clearly, on exactly the versions that cannot run the rest.
 */
const major = Number(process.versions.node.split(".")[0]);
if (major !== 24) {
  console.error(
    `Error [NODE_VERSION]: this program needs Node 24 and was started with Node ${process.versions.node}.\n` +
      "  at: npm script\n" +
      '  do: run `npm ci` (it brings Node 24.21.0 as the package "node") and start through npm. If npm says\n' +
      "      that install scripts were not allowed, run `npm rebuild node`.",
  );
  process.exit(1);
}
