import { useTranslation } from "react-i18next";
import type { ChildTree } from "../../shared/api/index.ts";
import { type Look, Toned } from "../components/toned.tsx";

type Identity = ChildTree["identity"];

const LOOK: Readonly<Record<Identity, Look>> = {
  verified: {
    tone: "success",
    shape: <path d="M8 1.5l5.5 2v4.2c0 3.2-2.2 5.6-5.5 6.8-3.3-1.2-5.5-3.6-5.5-6.8V3.5zM5.4 8l2 2 3.4-3.8" />,
  },
  gone: { tone: "waiting", shape: <circle cx="8" cy="8" r="6.2" strokeDasharray="2.6 2.3" /> },
  another: { tone: "suspect", shape: <path d="M3.5 3.5l9 9M12.5 3.5l-9 9" /> },
  cannotTell: { tone: "blocked", shape: <path d="M8 2.5l6 11H2z" /> },
};

/** Whether the process is the one of the journal: shape, word and tone. */
export function IdentityMark({ identity }: { readonly identity: Identity }) {
  const { t } = useTranslation();
  return (
    <span data-identity={identity}>
      <Toned look={LOOK[identity]}>{t(`processes.identity.${identity}`)}</Toned>
    </span>
  );
}
