import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SESSION_IDLE_MS } from "../../../../main/loopback/policy.ts";
import { type Front, get, openFront, PAGE, raw, signIn } from "./support.ts";

let front: Front;
beforeEach(async () => {
  front = await openFront();
});
afterEach(() => front.close());

describe("the pages of the loopback front (toolchain §6)", () => {
  it.each(["localhost", "127.0.0.1", "evil.example", "127.0.0.1:1", "0.0.0.0"])(
    "answers 421 to the Host %s, with or without a session",
    async (host) => {
      const cookie = await signIn(front);
      const answer = await get(front.port, "/", { Host: host, Cookie: cookie });
      expect(answer.status).toBe(421);
      expect(answer.body).not.toContain("csp-nonce");
    },
  );

  it("answers 421 before it looks at a token, so that a rebound name cannot spend one", async () => {
    const link = new URL(front.loopback.url);
    const target = `${link.pathname}${link.search}`;
    expect((await get(front.port, target, { Host: "evil.example" })).status).toBe(421);
    expect((await get(front.port, target)).status).toBe(303);
  });

  it("spends a link once: 303 with a session cookie, then 401", async () => {
    const link = new URL(front.loopback.url);
    const target = `${link.pathname}${link.search}`;
    const first = await get(front.port, target);
    expect(first.status).toBe(303);
    expect(first.headers.location).toBe("/");
    expect(first.headers["set-cookie"]).toMatch(
      /^flownet_[0-9a-f]{12}=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/,
    );
    const second = await get(front.port, target);
    expect(second.status).toBe(401);
    expect(second.headers["set-cookie"]).toBeUndefined();
  });

  it.each(["", "x", "A".repeat(43), "A".repeat(5000)])("answers 401 to the token %.20s", async (token) => {
    expect((await get(front.port, `/?token=${token}`)).status).toBe(401);
  });

  it("shows nothing without a session, whatever is asked for", async () => {
    for (const target of ["/", "/index.html", "/app.js", "/nothing"]) {
      const answer = await get(front.port, target);
      expect([target, answer.status]).toEqual([target, 401]);
    }
  });

  it("does not take a session of another instance or a made-up one", async () => {
    const other = await openFront();
    try {
      const foreign = await signIn(other);
      const own = await signIn(front);
      const name = own.split("=")[0];
      expect((await get(front.port, "/", { Cookie: foreign })).status).toBe(401);
      expect((await get(front.port, "/", { Cookie: `${name}=${"A".repeat(43)}` })).status).toBe(401);
      expect((await get(front.port, "/", { Cookie: `${foreign}; ${own}` })).status).toBe(200);
    } finally {
      await other.close();
    }
  });

  it("ends a session that nobody used for its idle time", async () => {
    const cookie = await signIn(front);
    front.passMs(SESSION_IDLE_MS - 1);
    expect((await get(front.port, "/", { Cookie: cookie })).status).toBe(200);
    front.passMs(SESSION_IDLE_MS + 1);
    expect((await get(front.port, "/", { Cookie: cookie })).status).toBe(401);
  });

  it("sends the guarding headers with every answer, refusals included", async () => {
    const cookie = await signIn(front);
    const answers = [
      await get(front.port, "/", { Cookie: cookie }),
      await get(front.port, "/nothing", { Cookie: cookie }),
      await get(front.port, "/"),
      await get(front.port, "/", { Host: "evil.example" }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([200, 404, 401, 421]);
    for (const { headers } of answers) {
      expect(headers["cache-control"]).toBe("no-store");
      expect(headers["referrer-policy"]).toBe("no-referrer");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["content-security-policy"]).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w-]{22}'; .*connect-src 'self'; .*frame-ancestors 'none'; require-trusted-types-for 'script'/,
      );
      expect(headers["content-security-policy"]).not.toContain("unsafe");
    }
  });

  it("gives each page a nonce of its own, the one its policy names (decisions §1)", async () => {
    const cookie = await signIn(front);
    const nonces: string[] = [];
    for (let i = 0; i < 2; i++) {
      const { body, headers } = await get(front.port, "/", { Cookie: cookie });
      const nonce = /'nonce-([\w-]+)'/.exec(headers["content-security-policy"] ?? "")?.[1] ?? "none";
      expect(body).toBe(PAGE.replace("FLOWNET_CSP_NONCE", nonce));
      nonces.push(nonce);
    }
    expect(new Set(nonces).size).toBe(2);
  });

  it.each([
    "/../secret.json",
    "/%2e%2e/secret.json",
    "/..%2fsecret.json",
    "/..%5csecret.json",
    "/%00",
    "/%zz",
  ])("keeps %s inside the folder of the pages", async (target) => {
    const cookie = await signIn(front);
    const answer = await get(front.port, target, { Cookie: cookie });
    expect(answer.status).toBe(404);
  });

  it.each(["POST", "PUT", "DELETE", "OPTIONS"])("answers 405 to %s", async (method) => {
    const cookie = await signIn(front);
    const answer = await raw(front.port, [
      `${method} / HTTP/1.1`,
      `Host: 127.0.0.1:${front.port}`,
      "Connection: close",
      "Content-Length: 0",
      `Cookie: ${cookie}`,
    ]);
    expect(answer.status).toBe(405);
  });
});
