import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { ChildTree, TreeProcess } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import link from "../components/link.module.css";
import page from "../components/page.module.css";
import { RowLink } from "../components/row-link.tsx";
import { type Column, cell, openedRow, Table } from "../components/table.tsx";
import { ForeignText } from "../components/text.tsx";
import { IdentityMark } from "./identity-mark.tsx";
import { Cpu, Memory, Started } from "./process-cells.tsx";
import styles from "./processes.module.css";
import { baseName } from "./usage.ts";

interface ProcessesTableProps {
  readonly trees: readonly ChildTree[];
  readonly openId: string | undefined;
}

/** Every tree of this host: its root with the attempt it works for, and below it what that started. */
export function ProcessesTable({ trees, openId }: ProcessesTableProps) {
  const { t } = useTranslation();
  const narrow = openId !== undefined;
  const all: readonly Column[] = [
    { key: "process", label: t("processes.column.process") },
    { key: "attempt", label: t("processes.column.attempt") },
    { key: "identity", label: t("processes.column.identity") },
    { key: "started", label: t("processes.column.started") },
    { key: "cpu", label: t("processes.column.cpu"), align: "right" },
    { key: "memory", label: t("processes.column.memory"), align: "right" },
  ];
  return (
    <Table caption={t("processes.caption")} columns={narrow ? all.slice(0, 3) : all}>
      {trees.map((tree) => (
        <Tree key={tree.id} tree={tree} narrow={narrow} opened={tree.id === openId} />
      ))}
    </Table>
  );
}

interface TreeProps {
  readonly tree: ChildTree;
  readonly narrow: boolean;
  readonly opened: boolean;
}

const Tree = memo(function Tree({ tree, narrow, opened }: TreeProps) {
  const rooted = tree.processes.find(({ pid }) => pid === tree.root.pid) ?? null;
  const below = tree.processes.filter((each) => each !== rooted);
  return (
    <>
      <tr className={opened ? openedRow : undefined} data-process={tree.root.pid}>
        <td className={cell.name}>
          <RootLink tree={tree} opened={opened} />
        </td>
        <td className={cell.text}>
          <Attempt tree={tree} />
        </td>
        <td>
          <IdentityMark identity={tree.identity} />
          <Origin tree={tree} />
        </td>
        {!narrow && <UsageCells facts={rooted} start={tree.root.processStart} />}
      </tr>
      {below.map((each) => (
        <tr key={each.pid} className={opened ? openedRow : undefined} data-process={each.pid}>
          <td className={cell.name}>
            <Below process={each} />
          </td>
          <td />
          <td />
          {!narrow && <UsageCells facts={each} start={each.processStart} />}
        </tr>
      ))}
    </>
  );
});

function RootLink({ tree: { id, root }, opened }: { readonly tree: ChildTree; readonly opened: boolean }) {
  const { t } = useTranslation();
  const name = baseName(root.image);
  return (
    <RowLink href={routeHash({ page: "processes", processId: id })} shown={opened}>
      {t("processes.pid", { pid: root.pid })}
      {name !== null && (
        <span className={styles.program}>
          {" "}
          <ForeignText text={name} />
        </span>
      )}
    </RowLink>
  );
}

/** A descendant, indented by how deep it stands; the depth is said to those who cannot see it. */
function Below({ process: { pid, image, depth } }: { readonly process: TreeProcess }) {
  const { t } = useTranslation();
  const name = baseName(image);
  return (
    <span className={styles.below} style={{ paddingInlineStart: `${Math.max(1, depth) * 16}px` }}>
      <span aria-hidden="true">└ </span>
      {t("processes.pid", { pid })}
      {name !== null && (
        <span className={styles.program}>
          {" "}
          <ForeignText text={name} />
        </span>
      )}
    </span>
  );
}

export function Attempt({ tree: { attempt } }: { readonly tree: Pick<ChildTree, "attempt"> }) {
  const { t } = useTranslation();
  if (attempt === null) return <span className={page.quiet}>{t("processes.noAttempt")}</span>;
  const { runId, nodeId, attemptNo, businessKey } = attempt;
  return (
    <>
      <a className={link.link} href={routeHash({ page: "run", runId, nodeId })}>
        <ForeignText text={`${businessKey ?? runId} › ${nodeId}`} id />
      </a>
      <span className={cell.sub}>{t("processes.attempt", { no: attemptNo })}</span>
    </>
  );
}

function Origin({ tree: { origin } }: { readonly tree: ChildTree }) {
  const { t } = useTranslation();
  return <span className={cell.sub}>{t(`processes.origin.${origin}`)}</span>;
}

function UsageCells({ facts, start }: { readonly facts: TreeProcess | null; readonly start: string | null }) {
  return (
    <>
      <td>
        <Started at={start} />
      </td>
      <td className={cell.number}>{facts !== null && <Cpu facts={facts} />}</td>
      <td className={cell.number}>{facts !== null && <Memory facts={facts} />}</td>
    </>
  );
}
