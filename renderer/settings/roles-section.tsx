import { Button, Field, Input, Select } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { MODES, type RolesFile } from "../../shared/api/index.ts";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { Table } from "../components/table.tsx";
import { ForeignText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import { shownRoles } from "../state/settings.ts";
import { useFault } from "./fields.tsx";
import styles from "./settings.module.css";

type Mode = (typeof MODES)[number];

/** 役割: which account of the operating system may do what. */
export function RolesSection() {
  const { t } = useTranslation();
  const { settings } = useStores();
  const view = useStore(settings.store, (state) => state.view.value);
  const roles = useStore(settings.store, shownRoles);
  if (view === null) return null;
  const { session, may } = view;
  const mayEdit = may.roles && view.roles.readOnly === null;
  return (
    <div className={styles.form}>
      <p className={page.lead}>{t("settings.roles.lead")}</p>
      <section className={styles.session} aria-labelledby="session">
        <h2 className={page.heading} id="session">
          {t("settings.roles.session")}
        </h2>
        <p>
          <span className={styles.monoText}>
            <ForeignText text={session.account} />
          </span>{" "}
          <strong>{t(`settings.roles.mode.${session.mode}`)}</strong>
        </p>
        <p className={styles.hint}>{t(`settings.roles.source.${session.source}`)}</p>
      </section>
      {view.roles.readOnly && <ProblemPanel problem={view.roles.readOnly} />}
      {!may.roles && <p className={styles.hint}>{t("settings.roles.mayNot")}</p>}
      {roles === null ? (
        <NoRoles account={session.account} mayCreate={mayEdit} />
      ) : (
        <RolesForm roles={roles} mayEdit={mayEdit} />
      )}
    </div>
  );
}

function NoRoles({ account, mayCreate }: { readonly account: string; readonly mayCreate: boolean }) {
  const { t } = useTranslation();
  const { settings } = useStores();
  const create = (): void =>
    settings.editRoles({
      kind: "FLOWNET_ROLES",
      formatVersion: 1,
      otherAccounts: "view",
      // Whoever sets the first roles must not lock himself out with them.
      accounts: [{ account, mode: "operate" }],
    });
  return (
    <div className={page.empty}>
      <p>{t("settings.roles.none")}</p>
      {mayCreate && <Button onClick={create}>{t("settings.roles.create")}</Button>}
    </div>
  );
}

function RolesForm({ roles, mayEdit }: { readonly roles: RolesFile; readonly mayEdit: boolean }) {
  const { t } = useTranslation();
  const { settings } = useStores();
  const { accounts } = roles;
  const set = (change: Partial<RolesFile>): void => settings.editRoles({ ...roles, ...change });
  // An account may be typed anew at any time: a row is known by its place alone.
  const rows = accounts.map((_, index) => ({ key: `row ${index}`, index }));
  const others = useFault("roles.otherAccounts", false);
  return (
    <>
      <Field
        label={t("settings.roles.others")}
        validationState={others === undefined ? "none" : "error"}
        validationMessage={others}
      >
        <ModeSelect
          value={roles.otherAccounts}
          disabled={!mayEdit}
          choose={(otherAccounts) => set({ otherAccounts })}
        />
      </Field>
      <Table
        caption={t("settings.roles.caption")}
        columns={[
          { key: "account", label: t("settings.roles.account") },
          { key: "mode", label: t("settings.roles.role") },
          { key: "remove", label: t("settings.token.remove") },
        ]}
      >
        {rows.map(({ key, index }) => (
          <RoleRow key={key} index={index} roles={roles} mayEdit={mayEdit} />
        ))}
      </Table>
      {mayEdit && (
        <div>
          <Button onClick={() => set({ accounts: [...accounts, { account: "", mode: "operate" }] })}>
            {t("settings.roles.add")}
          </Button>
        </div>
      )}
    </>
  );
}

interface RowProps {
  readonly index: number;
  readonly roles: RolesFile;
  readonly mayEdit: boolean;
}

function RoleRow({ index, roles, mayEdit }: RowProps) {
  const { t } = useTranslation();
  const { settings } = useStores();
  const entry = roles.accounts[index];
  const fault = useFault(`roles.accounts.${index}`, entry?.account === "");
  if (entry === undefined) return null;
  const change = (next: Partial<typeof entry>): void =>
    settings.editRoles({
      ...roles,
      accounts: roles.accounts.map((each, at) => (at === index ? { ...each, ...next } : each)),
    });
  const remove = (): void =>
    settings.editRoles({ ...roles, accounts: roles.accounts.filter((_, at) => at !== index) });
  return (
    <tr>
      <td>
        <Field validationState={fault === undefined ? "none" : "error"} validationMessage={fault}>
          <Input
            value={entry.account}
            readOnly={!mayEdit}
            autoComplete="off"
            spellCheck={false}
            input={{ className: styles.mono }}
            aria-label={`${t("settings.roles.account")} ${index + 1}`}
            onChange={(_, { value }) => change({ account: value })}
          />
        </Field>
      </td>
      <td>
        <ModeSelect
          value={entry.mode}
          disabled={!mayEdit}
          label={`${t("settings.roles.role")}: ${entry.account}`}
          choose={(mode) => change({ mode })}
        />
      </td>
      <td>
        {mayEdit && (
          <Button
            size="small"
            appearance="subtle"
            onClick={remove}
            aria-label={
              entry.account === ""
                ? t("settings.roles.removeBlank")
                : t("settings.roles.remove", { account: entry.account })
            }
          >
            {t("settings.token.remove")}
          </Button>
        )}
      </td>
    </tr>
  );
}

interface ModeProps {
  readonly value: Mode;
  readonly disabled: boolean;
  readonly label?: string;
  readonly choose: (mode: Mode) => void;
}

function ModeSelect({ value, disabled, label, choose, ...field }: ModeProps) {
  const { t } = useTranslation();
  return (
    <Select
      {...field}
      value={value}
      disabled={disabled}
      {...(label !== undefined && { "aria-label": label })}
      onChange={(_, data) => {
        const mode = MODES.find((each) => each === data.value);
        if (mode !== undefined) choose(mode);
      }}
    >
      {MODES.map((mode) => (
        <option key={mode} value={mode}>
          {t(`settings.roles.mode.${mode}`)}
        </option>
      ))}
    </Select>
  );
}
