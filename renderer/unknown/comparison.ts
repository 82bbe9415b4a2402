import {
  type BusinessReading,
  type ComparisonFile,
  comparisonFile,
  type UnknownDetail,
} from "../../shared/api/index.ts";
import type { EvidenceSource } from "../state/evidence-files.ts";

/** The evidence and the answer of the business data as one file, as they were read. `madeAt` ISO-8601 UTC. */
function comparisonOf(
  detail: UnknownDetail,
  business: BusinessReading | null,
  madeAt: string,
): ComparisonFile {
  return comparisonFile.parse({
    kind: "FLOWNET_UNKNOWN_COMPARISON",
    formatVersion: 1,
    madeAt,
    node: detail,
    businessData: business,
  });
}

/** The same, ready to be given as proof. */
export function comparisonSource(
  detail: UnknownDetail,
  business: BusinessReading | null,
  madeAt: string,
): EvidenceSource {
  const text = JSON.stringify(comparisonOf(detail, business, madeAt), null, 2);
  const bytes = new TextEncoder().encode(`${text}\n`);
  const attempt = detail.attempt?.attemptNo ?? 0;
  return {
    name: `comparison-${detail.nodeId}-${attempt}.json`,
    size: bytes.length,
    read: async (start, end) => bytes.slice(start, end),
  };
}
