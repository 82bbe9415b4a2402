import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { AttentionPicture, AttentionSource } from "../../shared/api/index.ts";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { useSecondText } from "../components/text.tsx";
import styles from "./attention.module.css";

/** Where the list comes from and when each of it was read; silence is worth as much as its sources. */
export function Sources({ picture }: { readonly picture: AttentionPicture }) {
  const { t } = useTranslation();
  return (
    <ul className={styles.sources} aria-label={t("attention.sourcesLabel")}>
      {picture.sources.map((source) => (
        <li key={source.source} data-source={source.source} data-state={stateOf(source)}>
          <SourceText source={source} />
        </li>
      ))}
    </ul>
  );
}

const stateOf = ({ problem, absent, pending, readAt }: AttentionSource) => {
  if (problem !== null) return "failed";
  if (absent) return "absent";
  return pending > 0 ? "pending" : readAt === null ? "reading" : "read";
};

function SourceText({ source }: { readonly source: AttentionSource }) {
  const { t } = useTranslation();
  const secondText = useSecondText();
  const name = t(`attention.source.${source.source}`);
  switch (stateOf(source)) {
    case "failed":
      return t("attention.sourceFailed", { source: name });
    case "absent":
      return source.source === "schedules"
        ? t("attention.sourceAbsent", { source: name })
        : t("attention.sourceAbsentRequest", { source: name });
    case "pending":
      return t("attention.sourcePending", { source: name, count: source.pending });
    case "reading":
      return t("attention.sourceReading", { source: name });
    case "read":
      return t("attention.sourceAt", { source: name, time: secondText(source.readAt ?? "") });
  }
}

/** What keeps a source from being read, each with what to do. The state app's own is told above every page. */
export function SourceProblems({ picture }: { readonly picture: AttentionPicture }) {
  const told = picture.sources.filter(({ source, problem }) => source !== "state" && problem !== null);
  return told.map(({ source, problem }) => problem && <ProblemPanel key={source} problem={problem} />);
}

/** The sources there are, by name: silence is worth as much as what was asked. */
const namesOf = ({ sources }: AttentionPicture, t: TFunction): string =>
  sources
    .filter(({ absent }) => !absent)
    .map(({ source }) => t(`attention.source.${source}`))
    .join(t("guidance.separator"));

/** Nothing in the list: nothing to do, or not enough known to say so. */
export function EmptyAttention({ picture }: { readonly picture: AttentionPicture }) {
  const { t } = useTranslation();
  const secondText = useSecondText();
  const [oldest] = picture.sources.flatMap(({ readAt }) => readAt ?? []).toSorted();
  const reading = picture.sources.some((source) => stateOf(source) === "reading");
  const failed = picture.sources.some((source) => stateOf(source) === "failed");
  if (picture.calm) {
    return (
      <div className={`${page.empty} ${styles.calm}`}>
        <p>
          <strong>{t("attention.calm")}</strong>
        </p>
        {oldest !== undefined && (
          <p>{t("attention.calmDetail", { sources: namesOf(picture, t), time: secondText(oldest) })}</p>
        )}
      </div>
    );
  }
  return (
    <div className={page.empty} data-testid="attention-unsure">
      {reading && !failed ? (
        <p>{t("attention.reading")}</p>
      ) : (
        <>
          <p>
            <strong>{t("attention.notCalm")}</strong>
          </p>
          <p>{t("attention.notCalmDetail")}</p>
        </>
      )}
    </div>
  );
}
