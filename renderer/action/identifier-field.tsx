import { Field, Input } from "@fluentui/react-components";
import type { TFunction } from "i18next";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import face from "../components/face.module.css";
import { CopyId } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import styles from "./action.module.css";
import { type Cell, compareIdentifier, firstFault, isIdentifier } from "./identifier.ts";

/**
 * The text that tells this object from its neighbours, typed or pasted, compared character by character (operator-ux D4).
 * Only the very text passes; what merely looks like it is named by its code point (D5). While an IME composes nothing is
 * compared: what it shows is not typed yet.
 */
export function IdentifierField({ wanted }: { readonly wanted: string }) {
  const { t } = useTranslation();
  const { action } = useStores();
  const typed = useStore(action.store, ({ draft }) => draft?.typed ?? "");
  const [composing, setComposing] = useState(false);
  const compared = useId();
  const cells = composing || typed === "" ? [] : compareIdentifier(typed, wanted);
  const fault = firstFault(cells);
  const exact = !composing && isIdentifier(typed, wanted);
  return (
    <div className={styles.identifier} data-exact={exact || undefined}>
      <p className={styles.line}>
        {t("action.identifier.ask")} <CopyId id={wanted} what={t("action.identifier.what")} always />
      </p>
      <Field
        label={t("action.identifier.label")}
        required
        validationState={fault === null ? (exact ? "success" : "none") : "error"}
        validationMessage={
          fault === null ? (exact ? t("action.identifier.exact") : undefined) : faultText(fault, t)
        }
      >
        <Input
          value={typed}
          autoComplete="off"
          spellCheck={false}
          maxLength={1000}
          className={styles.typed}
          input={{ className: face.mono, "aria-describedby": compared }}
          onCompositionStart={() => setComposing(true)}
          onCompositionEnd={() => setComposing(false)}
          onChange={(_, { value }) => action.fill({ typed: value })}
        />
      </Field>
      {cells.length > 0 && !exact && <Comparison id={compared} cells={cells} />}
    </div>
  );
}

function faultText(fault: Cell, t: TFunction): string {
  const no = fault.at + 1;
  if (fault.state === "extra") return t("action.identifier.extra", { no });
  if (fault.state === "alike") {
    return t("action.identifier.alike", { no, code: fault.code ?? "", wanted: fault.wanted ?? "" });
  }
  return t("action.identifier.different", { no, wanted: fault.wanted ?? "" });
}

/** Both texts, one above the other; the differing places stand out by shape and frame, not by colour alone. */
function Comparison({ id, cells }: { readonly id: string; readonly cells: readonly Cell[] }) {
  return (
    <div id={id} className={styles.cells} aria-hidden="true">
      {cells.map(({ at, wanted, typed, state, code }) => (
        <span key={at} className={styles.cell} data-state={state}>
          <span>{shown(wanted)}</span>
          <span>{shown(typed)}</span>
          {code !== null && <small>{code}</small>}
        </span>
      ))}
    </div>
  );
}

const shown = (character: string | null): string =>
  character === null ? "\u00a0" : character === " " ? "\u2423" : character;
