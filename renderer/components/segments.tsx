import type { ReactNode } from "react";
import styles from "./segments.module.css";
import unseen from "./unseen.module.css";

interface Segment {
  readonly value: string;
  readonly label: ReactNode;
  readonly title?: string;
}

interface SegmentsProps<S extends Segment> {
  /** Read to those who cannot see what the choice stands above. */
  readonly label: string;
  /** Of the group of radio buttons, one in a page. */
  readonly name: string;
  readonly value: string | null;
  readonly segments: readonly S[];
  readonly onChoose: (value: S["value"]) => void;
}

/** One of a few ways to look at the same, side by side: radio buttons in the shape of one control. */
export function Segments<S extends Segment>({ label, name, value, segments, onChoose }: SegmentsProps<S>) {
  return (
    <fieldset className={styles.segments}>
      <legend className={unseen.unseen}>{label}</legend>
      {segments.map((each) => (
        <label
          key={each.value}
          className={styles.segment}
          data-chosen={each.value === value}
          title={each.title}
        >
          <input
            type="radio"
            name={name}
            value={each.value}
            checked={each.value === value}
            onChange={() => onChoose(each.value)}
          />
          {each.label}
        </label>
      ))}
    </fieldset>
  );
}
