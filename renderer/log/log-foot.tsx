import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useStores } from "../state/context.tsx";
import styles from "./log.module.css";
import { percentOf } from "./size.ts";

/** Where the log stands: counted lines, what is held back, that it is over. */
export function LogFoot({ over }: { readonly over: boolean }) {
  const { t } = useTranslation();
  const { logs } = useStores();
  const { file, tail, counted, shown, following } = useStore(logs.store);
  const replaced = useReplaced(file?.generation);
  const newer = counted && file !== null && !following ? file.lines - shown : 0;
  return (
    <p className={styles.foot} role="status">
      {!counted && tail !== null && <span>{t("run.log.tailOnly", { count: tail.lines.length })}</span>}
      {!counted && file !== null && (
        <span>{t("run.log.counting", { percent: percentOf(file.countedBytes, file.sizeBytes) })}</span>
      )}
      {counted && <span>{t("run.log.lines", { count: shown })}</span>}
      {newer > 0 && <span>{t("run.log.paused", { count: newer })}</span>}
      {replaced && <span>{t("run.log.replaced")}</span>}
      {file?.gone === true ? <span>{t("run.log.gone")}</span> : over && <span>{t("run.log.over")}</span>}
    </p>
  );
}

/** True once the content turned out to be another one while it was in sight. */
function useReplaced(generation: number | undefined): boolean {
  const [first, setFirst] = useState(generation);
  useEffect(() => {
    if (first === undefined && generation !== undefined) setFirst(generation);
  }, [first, generation]);
  return first !== undefined && generation !== undefined && generation !== first;
}
