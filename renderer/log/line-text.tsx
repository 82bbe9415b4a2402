import { memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type LinePart, lineParts } from "./line-parts.ts";
import styles from "./log.module.css";

interface LineTextProps {
  readonly text: string;
  readonly sought: string;
  readonly matchCase: boolean;
}

/** A line of a log as text: nothing in it is markup, nothing in it stays invisible (electron-desktop R7). */
export const LineText = memo(function LineText({ text, sought, matchCase }: LineTextProps): ReactNode {
  return lineParts(text, sought, matchCase).map((part) => <Part key={part.at} part={part} />);
});

function Part({ part }: { readonly part: LinePart }) {
  const { t } = useTranslation();
  if (part.kind === "mark") {
    const title = part.text.startsWith("0x") ? t("run.log.byteMark") : t("text.mark", { code: part.text });
    return (
      <span className={styles.mark} title={title}>
        {part.text}
      </span>
    );
  }
  const className = classOf(part);
  if (part.kind === "hit") return <mark className={`${styles.sign} ${className ?? ""}`}>{part.text}</mark>;
  return className === undefined ? part.text : <span className={className}>{part.text}</span>;
}

function classOf({ colour, bold, dim, underline }: LinePart): string | undefined {
  const names = [
    colour === null ? undefined : styles[`colour${colour % 8}`],
    bold ? styles.bold : undefined,
    dim ? styles.dim : undefined,
    underline ? styles.underline : undefined,
  ].filter((each) => each !== undefined);
  return names.length === 0 ? undefined : names.join(" ");
}
