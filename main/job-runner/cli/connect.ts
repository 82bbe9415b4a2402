import { setTimeout as delay } from "node:timers/promises";
import { type RunnerProfile, testClockOffsetMs } from "../../../shared/contract/index.ts";
import { createKintoneTransport, type KintoneTransport } from "../../kintone-client/index.ts";

const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/;

/** Wall clock; the test offset counts against a kintone on this host only (decisions §4). */
export function clockOf(
  profile: RunnerProfile,
  environment: Readonly<Record<string, string | undefined>>,
): () => number {
  const offset = testClockOffsetMs(profile.baseUrl, environment.FLOWNET_TEST_CLOCK_OFFSET_MS);
  return offset === 0 ? Date.now : () => Date.now() + offset;
}

/** The official client takes plain http for the name `localhost` only (kintone-rest §1.1). */
function clientBaseUrl(baseUrl: string): string {
  return LOOPBACK.test(baseUrl) ? baseUrl.replace(LOOPBACK, "http://localhost$2$3") : baseUrl;
}

/** Milliseconds a request that nobody waits for any more may hold up the end of the run. */
const DISPOSE_LIMIT_MS = 2_000;

/** The profile's way to kintone: API tokens, a user's login, Basic authentication in front (execution-contract §8). */
export function openTransport(profile: RunnerProfile): KintoneTransport & AsyncDisposable {
  const { auth, basicAuth } = profile;
  const transport = createKintoneTransport({
    baseUrl: clientBaseUrl(profile.baseUrl),
    tokens: new Map(Object.values(profile.apps).map(({ id, tokens }) => [id, tokens])),
    timeoutMs: profile.httpTimeoutMs,
    ...(auth.type !== "apiToken" && { login: { username: auth.username, password: auth.password } }),
    ...(basicAuth !== null && { basicAuth }),
    ...(profile.guestSpaceId !== null && { guestSpaceId: profile.guestSpaceId }),
  });
  return {
    send: transport.send,
    async [Symbol.asyncDispose]() {
      await Promise.race([transport.dispose(), delay(DISPOSE_LIMIT_MS, undefined, { ref: false })]);
    },
  };
}
