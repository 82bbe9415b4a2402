/** Longest IO summary an Attempt's `error_message` may hold, in UTF-16 units (wire-format §1.5). */
export const IO_AUDIT_MAX_UNITS = 10_000;

// The runner reads at most 10 MiB of a source (execution-contract §4.3); a written file has no such bound.
const MAX_INPUT_BYTES = 10_485_760;
const MAX_INPUT_ROWS = MAX_INPUT_BYTES;
const MAX_OUTPUT_BYTES = 999_999_999_999;
const MAX_OUTPUT_ROWS = 999_999_999;
const hex = (digits: number): string => "f".repeat(digits);

/**
 * Length of the longest terminal IO summary these names can lead to (wire-format §1.5, W-33), in UTF-16
 * units; 0 without names. Built from the real shape, so that escaping inside names is counted.
 */
export function largestIoAudit(inputNames: readonly string[], outputNames: readonly string[]): number {
  if (inputNames.length === 0 && outputNames.length === 0) return 0;
  const baseline = inputNames.map((source) => ({ source, sha256: hex(64), bytes: MAX_INPUT_BYTES }));
  const inputs = inputNames.map((source) => ({
    source,
    type: "IMPORT",
    sha256: hex(12),
    bytes: MAX_INPUT_BYTES,
    rows: MAX_INPUT_ROWS,
    encoding: "UTF8",
  }));
  const outputs = outputNames.map((sink) => ({
    sink,
    type: "EXPORT",
    sha256: hex(64),
    bytes: MAX_OUTPUT_BYTES,
    rows: MAX_OUTPUT_ROWS,
    encoding: "utf8",
  }));
  return JSON.stringify({
    version: 1,
    kind:
      inputNames.length === 0
        ? "KSQL_FLOWNET_OUTPUT_AUDIT"
        : outputNames.length === 0
          ? "KSQL_FLOWNET_INPUT_AUDIT"
          : "KSQL_FLOWNET_IO_AUDIT",
    ...(inputNames.length > 0 ? { baseline, input_files: inputs } : {}),
    ...(outputNames.length > 0 ? { output_files: outputs } : {}),
  }).length;
}
