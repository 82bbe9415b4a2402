import { positiveInteger } from "./params.ts";
import type { Result } from "./record-endpoints.ts";
import type { Call, Services } from "./services.ts";

/** GET `space.json`: the official client asks for `defaultThread` before it makes an app in a space (kintone-rest §1.1). */
export function getSpace(services: Services, call: Call): Result {
  call.actor.requireUser();
  const space = services.spaces.open(positiveInteger(call.params.id, "id"), call.guestSpaceId);
  return {
    id: String(space.id),
    name: space.name,
    defaultThread: String(space.defaultThread),
    isPrivate: space.isGuest,
    creator: space.creator,
    modifier: space.creator,
    memberCount: "1",
    coverType: "PRESET",
    coverKey: "GREEN",
    coverUrl: "",
    body: "",
    useMultiThread: false,
    isGuest: space.isGuest,
    attachedApps: services.apps
      .list()
      .filter((app) => app.spaceId === space.id)
      .map((app) => ({
        appId: String(app.id),
        code: app.code,
        name: app.name,
        threadId: String(app.threadId),
      })),
    fixedMember: false,
    showAnnouncement: true,
    showThreadList: true,
    showAppList: true,
    showMemberList: true,
    showRelatedLinkList: true,
    permissions: { createApp: "EVERYONE" },
  };
}
