import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { Plain, PlannedWrite } from "../../shared/domain/operations/operation.ts";
import face from "../components/face.module.css";
import { Absent, ForeignText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import styles from "./action.module.css";

/** Fields that are what the operator types; the plan knows them as they were when it was made. */
const TYPED: ReadonlySet<string> = new Set(["reason", "releaseReason"]);

interface PlannedWritesProps {
  readonly writes: readonly PlannedWrite[];
  /** They were written. */
  readonly done?: boolean;
}

/** The records that will be written, folded: for the second responder (operator-ux §5.1, plain line first). */
export function PlannedWrites({ writes, done = false }: PlannedWritesProps) {
  const { t } = useTranslation();
  return (
    <details className={styles.fold}>
      <summary>{t(done ? "action.plan.written" : "action.plan.writes", { count: writes.length })}</summary>
      <ul className={styles.writes}>
        {writes.map((write) => (
          <li key={`${write.action} ${write.record} ${write.id} ${write.changes.map(({ field }) => field)}`}>
            <strong>
              {t(`action.write.${write.action}`, { record: t(`action.record.${write.record}`) })}
            </strong>
            {write.id !== null && (
              <span className={face.mono}>
                <ForeignText text={write.id} id />
              </span>
            )}
            <Changes write={write} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Changes({ write }: { readonly write: PlannedWrite }) {
  const { action } = useStores();
  const reason = useStore(action.store, ({ draft }) =>
    draft !== null && "reason" in draft.intent ? draft.intent.reason.trim() : null,
  );
  if (write.changes.length === 0) return null;
  return (
    <dl className={styles.changes}>
      {write.changes.map(({ field, from, to }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            {write.action !== "insert" && (
              <>
                <Value value={from} /> →{" "}
              </>
            )}
            <Value value={TYPED.has(field) && reason ? reason : to} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value }: { readonly value: Plain }) {
  if (value === null || value === "") return <Absent />;
  return <ForeignText text={String(value)} id />;
}
