import type { TFunction } from "i18next";
import type { RecoveryPicture } from "../../shared/api/index.ts";

type Step = RecoveryPicture["steps"][number];

/** The sentence of a step in its state; a state a step never has is said by the one before it. */
export function stepText(
  step: Step["step"],
  state: Step["state"],
  picture: Pick<RecoveryPicture, "lock" | "lockIsOurs" | "unknown" | "jobLocks">,
  t: TFunction,
): string {
  switch (step) {
    case "staleLock":
      if (state === "done" && !picture.lockIsOurs) return t("recovery.step.staleLock.released");
      if (state === "waits" || state === "needless") return t(`recovery.step.staleLock.${state}`);
      return t("recovery.step.staleLock.done");
    case "stopConfirmed":
      return t(`recovery.step.stopConfirmed.${state}`);
    case "forceUnlock":
      return t(`recovery.step.forceUnlock.${state === "waits" ? "later" : state}`);
    case "adjudicate":
      return t(`recovery.step.adjudicate.${state === "needless" ? "done" : state}`);
    case "resolve":
      if (state === "done" || state === "needless") return t("recovery.step.resolve.done");
      return t(`recovery.step.resolve.${state === "now" ? "now" : "later"}`);
    case "jobLock":
      return t(`recovery.step.jobLock.${state === "needless" ? "done" : state}`);
    case "resume":
      if (state === "later" && picture.unknown.length === 0 && picture.jobLocks.length > 0) {
        return t("recovery.step.resume.laterLock");
      }
      // Nobody holds the network: what it waits for is to know whether a killed job's lock stands.
      if (state === "waits" && picture.lock === null) return t("recovery.step.resume.waitsLock");
      return t(`recovery.step.resume.${state === "needless" ? "done" : state}`);
    case "success":
      return t(`recovery.step.success.${state === "done" ? "done" : "later"}`);
  }
}
