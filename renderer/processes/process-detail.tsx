import { Button } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import type { ChildTree, StopProgress } from "../../shared/api/index.ts";
import { DangerIcon } from "../action/danger-mark.tsx";
import { routeHash } from "../app/routes.ts";
import { Fact, Facts } from "../components/facts.tsx";
import link from "../components/link.module.css";
import note from "../components/note.module.css";
import page from "../components/page.module.css";
import { Panel, PanelLine } from "../components/panel.tsx";
import { Absent, CopyId, ForeignText } from "../components/text.tsx";
import { sizeParts } from "../log/size.ts";
import { useGate, useStores } from "../state/context.tsx";
import { IdentityMark } from "./identity-mark.tsx";
import { CommandLine, Started } from "./process-cells.tsx";
import styles from "./processes.module.css";
import { Attempt } from "./processes-table.tsx";
import { StopFactsList } from "./stop-facts.tsx";
import { baseName } from "./usage.ts";

interface ProcessPanelProps {
  readonly tree: ChildTree;
  /** The last stop of it, if any. */
  readonly stop: StopProgress | null;
}

/** One tree: who it is, for which attempt, what it writes, who started it, and how it is stopped. */
export function ProcessPanel({ tree, stop }: ProcessPanelProps) {
  const { t } = useTranslation();
  const { root, attempt } = tree;
  const name = attempt?.nodeId ?? baseName(root.image) ?? t("processes.pid", { pid: root.pid });
  return (
    <Panel title={t("processes.detail.title", { name })}>
      <PanelLine>
        <IdentityMark identity={tree.identity} />
        <span className={page.quiet}>{t(`processes.identityMeans.${tree.identity}`)}</span>
      </PanelLine>
      {tree.identityReason !== null && (
        <p className={note.warning}>
          <ForeignText text={tree.identityReason} />
        </p>
      )}
      <ProcessFacts tree={tree} />
      <TreeList tree={tree} />
      <Files tree={tree} />
      {stop !== null && (
        <section className={page.section} aria-labelledby="stop-course">
          <h3 className={page.heading} id="stop-course">
            {t("processes.stop.follow")}
          </h3>
          <StopFactsList stop={stop} />
        </section>
      )}
      <StopButton tree={tree} stop={stop} />
    </Panel>
  );
}

function ProcessFacts({ tree }: { readonly tree: ChildTree }) {
  const { t } = useTranslation();
  const { root, origin, polite, attempt } = tree;
  return (
    <Facts>
      <Fact label={t("processes.column.process")}>
        <CopyId id={String(root.pid)} what="PID" short={t("processes.pid", { pid: root.pid })} always />
      </Fact>
      <Fact label={t("processes.column.started")}>
        <Started at={root.processStart} />
      </Fact>
      <Fact label={t("processes.detail.origin")}>{t(`processes.origin.${origin}`)}</Fact>
      <Fact label={t("processes.parent.title")}>
        <Parent parent={tree.parent} />
      </Fact>
      <Fact label={t("processes.detail.attempt")} wide>
        <Attempt tree={tree} />
      </Fact>
      <Fact label={t("processes.detail.polite")}>{t(`processes.detail.${polite}`)}</Fact>
      {attempt !== null && (
        <Fact label={t("processes.detail.log")}>
          <a
            className={link.link}
            href={routeHash({ page: "run", runId: attempt.runId, tab: "attempts", nodeId: attempt.nodeId })}
          >
            {t("processes.detail.openLog")}
          </a>
        </Fact>
      )}
      <Fact label={t("processes.detail.image")} wide>
        {root.image === null ? (
          <Absent />
        ) : (
          <span className={styles.command}>
            <ForeignText text={root.image} />
          </span>
        )}
      </Fact>
    </Facts>
  );
}

function Parent({ parent: { pid, alive, self } }: { readonly parent: ChildTree["parent"] }) {
  const { t } = useTranslation();
  if (pid === null) return t("processes.parent.unknown");
  if (self) return t("processes.parent.self", { pid });
  return t(`processes.parent.${alive === null ? "cannotTell" : alive ? "alive" : "dead"}`, { pid });
}

/** Everything that lives of it, as a tree: PID, start and command, whose secrets were hidden in main. */
export function TreeList({ tree }: { readonly tree: ChildTree }) {
  const { t } = useTranslation();
  return (
    <section className={page.section} aria-label={t("processes.detail.tree")}>
      <h3 className={page.heading}>{t("processes.stop.targets", { count: tree.processes.length })}</h3>
      <ul className={styles.tree}>
        {tree.processes.map((each) => (
          <li key={each.pid} style={{ paddingInlineStart: `${each.depth * 16}px` }} data-target={each.pid}>
            <span className={styles.treeHead}>
              {each.depth > 0 && <span aria-hidden="true">└</span>}
              <strong>{t("processes.pid", { pid: each.pid })}</strong>
              <Started at={each.processStart} />
            </span>
            <CommandLine facts={each} />
          </li>
        ))}
      </ul>
      {tree.incomplete !== null && (
        <p className={note.warning}>{t("processes.incomplete", { reason: tree.incomplete })}</p>
      )}
    </section>
  );
}

function Files({ tree: { files } }: { readonly tree: ChildTree }) {
  const { t } = useTranslation();
  if (files.length === 0) return null;
  return (
    <section className={page.section} aria-label={t("processes.file.title")}>
      <h3 className={page.heading}>{t("processes.file.title")}</h3>
      <Facts>
        {files.map(({ kind, path, bytes }) => (
          <Fact key={kind} label={t(`processes.file.${kind}`)} wide>
            <CopyId id={path} what={t(`processes.file.${kind}`)} short={baseName(path) ?? path} always />{" "}
            <span className={page.quiet}>
              {bytes === null ? t("processes.file.none") : t("processes.memory", sizeParts(bytes))}
            </span>
          </Fact>
        ))}
      </Facts>
    </section>
  );
}

/** Opens the form of the stop; what keeps it from being used stands beside it (operator-ux D11). */
function StopButton({ tree, stop }: ProcessPanelProps) {
  const { t } = useTranslation();
  const { processes } = useStores();
  const gate = useGate();
  const { notStoppable, root } = tree;
  if (notStoppable === null && tree.processes.length === 0) return null;
  const barred = notStoppable !== null || gate !== null;
  const running = stop !== null && stop.endedAt === null;
  return (
    <PanelLine>
      <Button
        className={styles.stop}
        icon={<DangerIcon danger="L3" />}
        disabledFocusable={barred}
        onClick={() => {
          if (!barred) void processes.openStop(root.pid, root.processStart);
        }}
      >
        {running ? t("processes.stop.follow") : t("processes.stop.button")}
      </Button>
      {barred && (
        <span className={page.quiet}>
          {notStoppable !== null
            ? t(`processes.stop.why.${notStoppable}`)
            : gate !== null && t(`processes.stop.missing.${gate}`)}
        </span>
      )}
    </PanelLine>
  );
}
