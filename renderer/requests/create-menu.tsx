import { Button, Menu, MenuItem, MenuList, MenuPopover, MenuTrigger } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { REQUEST_TYPES, type RequestType } from "../../shared/domain/request.ts";
import face from "../components/face.module.css";
import page from "../components/page.module.css";
import { useGate, useStores } from "../state/context.tsx";

/** An empty request of a type; what it is about is filled in by its form. */
const requestIntent = (
  type: RequestType,
  about: { readonly runId?: string; readonly networkId?: string } = {},
) => ({
  kind: "request" as const,
  type,
  runId: about.runId ?? "",
  networkId: about.networkId ?? "",
  businessKey: "",
  scheduledFor: "",
  rerunFromNode: "",
  reason: "",
});

/** Opens the form of a request; what keeps one from being made stands beside the button (operator-ux D11). */
export function CreateMenu() {
  const { t } = useTranslation();
  const { action } = useStores();
  const gate = useGate();
  return (
    <>
      {gate !== null && <span className={page.quiet}>{t(`requests.createGate.${gate}`)}</span>}
      <Menu>
        <MenuTrigger disableButtonEnhancement>
          <Button size="small" disabled={gate !== null}>
            {t("requests.create")}
          </Button>
        </MenuTrigger>
        <MenuPopover>
          <MenuList>
            {REQUEST_TYPES.toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)).map((type) => (
              <MenuItem key={type} onClick={() => void action.open(requestIntent(type))}>
                {t(`requests.type.${type}`)} <span className={face.code}>({type})</span>
              </MenuItem>
            ))}
          </MenuList>
        </MenuPopover>
      </Menu>
    </>
  );
}

/** From what begins something to what ends it. */
const ORDER: readonly RequestType[] = ["START", "RERUN", "STOP", "RELEASE", "CLOSE"];
