import { Button } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import type { AttentionEntry } from "../../shared/api/index.ts";
import { nextActionFor } from "../../shared/domain/next-action.ts";
import { goTo } from "../app/use-route.ts";
import { useStores } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import { nextDoor } from "./next-door.ts";

/** The next action of a row of 要対応: opens its form, or the page where it is done (screens, 要対応). */
export function NextButton({ item, name }: { readonly item: AttentionEntry; readonly name: string }) {
  const { t } = useTranslation();
  const { action } = useStores();
  const door = nextDoor(item, nextActionFor(item));
  if (door === null) return null;
  const label = t(`action.next.${door.words}`);
  const { businessKey, networkId, runId, requestId } = item;
  return (
    <Button
      size="small"
      aria-label={`${label}: ${markedText(name, true)}`}
      onClick={() => {
        if (door.kind === "page") goTo(door.route);
        else void action.open(door.intent, { subject: { businessKey, networkId, runId, requestId } });
      }}
    >
      {label}
    </Button>
  );
}
