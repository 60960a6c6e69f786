import { stat } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";

import { expect, test } from "vitest";

import { createOperators, owner } from "../../console/sign-in/operators.js";
import { hashPassword } from "../../console/sign-in/password.js";
import { openTestDatabase } from "../support/test-database.js";
import type { Settings } from "../../settings/read-settings.js";
import { openConsole, testToken } from "./open-console.js";

const database = await openTestDatabase();
const password = "correct horse";
const operators = {
  ada: { role: "owner" as const, password: await hashPassword(password) },
};
const {
  client,
  clientWith,
  fetch: fetchConsole,
} = openConsole(database, {
  operators,
});

/** Signs in like a browser. Output: the response's status and cookie. */
async function signInFrom(
  address: string,
  message: object,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await fetchConsole(
    "http://console.test/rpc/Operators/SignIn",
    {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-client-address": address,
        ...headers,
      },
      body: JSON.stringify(message),
    },
  );
  const body: unknown = await response.json();
  const cookie = response.headers.get("set-cookie") ?? "";
  const retryAfter = response.headers.get("retry-after");
  return { status: response.status, cookie, retryAfter, body: Object(body) };
}

const ada = { operator: "ada", password };

test("signs an operator in with a cookie that scripts cannot read", async () => {
  const { body, cookie, status } = await signInFrom("10.0.0.1", ada, {
    origin: "https://console.test",
    host: "console.test",
  });
  expect([status, body.token]).toEqual([200, undefined]);
  expect(cookie).toMatch(
    /^__Host-console_session=[\w-]{43}; Expires=.+; Path=\/; HttpOnly; SameSite=Strict; Secure$/u,
  );
  const [pair = ""] = cookie.split(";");
  const page = { origin: "https://console.test", host: "console.test" };
  const { getSession } = clientWith({ cookie: pair, ...page }).operators;
  expect(await getSession()).toEqual({ session: body.session });
  // Other hosts of the domain can set a cookie without the prefix.
  const plain = pair.replace("__Host-", "");
  const shadowed = clientWith({ cookie: plain, ...page }).operators.getSession;
  expect(await shadowed.result()).toMatchObject({ ok: false });
  // The database contains no usable secret.
  const rows = await database
    .selectFrom("operator_sessions")
    .selectAll()
    .execute();
  const secret = pair.slice("__Host-console_session=".length);
  expect(rows.some(({ hash }) => hash.equals(Buffer.from(secret)))).toBe(false);
});

test("ends a session when its operator signs out", async () => {
  const { cookie } = await signInFrom("10.0.0.1", ada);
  expect(cookie).not.toContain("Secure");
  const [pair = ""] = cookie.split(";");
  const { operators: session } = clientWith({ cookie: pair });
  await session.signOut();
  expect(await session.getSession.result()).toMatchObject({
    ok: false,
    error: { name: "Unauthorized" },
  });
});

test("ignores the cookie in requests from other origins", async () => {
  const { cookie } = await signInFrom("10.0.0.1", ada);
  const [pair = ""] = cookie.split(";");
  const foreign: readonly Record<string, string>[] = [
    { origin: "https://evil.example", host: "console.test" },
    { origin: "null", host: "console.test" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ];
  for (const headers of foreign) {
    const { getSession } = clientWith({ cookie: pair, ...headers }).operators;
    expect(await getSession.result()).toMatchObject({
      error: { name: "Unauthorized" },
    });
    expect(await signInFrom("10.0.0.1", ada, headers)).toMatchObject({
      status: 403,
      cookie: "",
      body: { error: "PermissionDenied" },
    });
  }
});

test("rejects wrong passwords and unknown names with the same error, and then locks out the address", async () => {
  const address = "10.0.0.2";
  const wrong = [
    { operator: "ada", password: "wrong" },
    { operator: "nobody", password },
    { operator: owner, password },
    { operator: "ada", password: testToken },
    { operator: "constructor", password },
  ];
  const refused = {
    ...{ status: 401, cookie: "" },
    body: { error: "WrongPassword", msg: "Wrong name or password" },
  };
  const answers = await Promise.all(
    [...wrong, ...wrong].map((message) => signInFrom(address, message)),
  );
  expect(answers).toMatchObject(answers.map(() => refused));
  expect(await signInFrom(address, ada)).toMatchObject({
    status: 429,
    body: { error: "TooManyAttempts" },
    retryAfter: "30",
  });
  // Rejected attempts are not recorded, because there can be any number.
  const recorded = await database
    .selectFrom("operator_actions")
    .select("id")
    .where("error", "=", "TooManyAttempts")
    .execute();
  expect(recorded).toEqual([]);
  // Other addresses are not affected.
  expect((await signInFrom("10.0.0.3", ada)).status).toBe(200);
});

test("leaves threads free while it verifies many passwords", async () => {
  const { verify } = createOperators({}, testToken);
  await verify("nobody", password);
  let verified = 0;
  const attempts = Array.from({ length: 8 }, async () => {
    await verify("nobody", password);
    verified += 1;
  });
  await setImmediate();
  await stat(".");
  // If all eight ran at once, a file read would wait until five of them were
  // done.
  expect(verified).toBeLessThan(4);
  await Promise.all(attempts);
});

test("returns the session's secret to programs, and accepts it as a bearer token", async () => {
  const { body, cookie } = await signInFrom("10.0.0.4", {
    operator: owner,
    password: testToken,
    asToken: true,
  });
  expect(cookie).toBe("");
  const authorization = `Bearer ${body.token}`;
  const { getSession } = clientWith({ authorization }).operators;
  expect(await getSession()).toMatchObject({ session: { operator: owner } });
});

test("expires sessions, and ends those of removed operators", async () => {
  const { body } = await signInFrom("10.0.0.5", { ...ada, asToken: true });
  const headers = { authorization: `Bearer ${body.token}` };
  const gone = openConsole(database).clientWith(headers).operators.getSession;
  expect(await gone.result()).toMatchObject({
    error: { name: "Unauthorized" },
  });
  await database
    .updateTable("operator_sessions")
    .set({ expires_at: new Date(Date.now() - 1) })
    .execute();
  const { getSession } = clientWith(headers).operators;
  expect(await getSession.result()).toMatchObject({
    error: { name: "SessionExpired" },
  });
});

test("accepts the operator token, which never expires", async () => {
  expect(await client.operators.getSession()).toEqual({
    session: { operator: owner, role: "owner", denied: [] },
  });
});

test("a changed password ends the operator's sessions", async () => {
  const { body } = await signInFrom("10.0.0.6", { ...ada, asToken: true });
  const headers = { authorization: `Bearer ${body.token}` };
  const changed = { role: "owner" as const };
  const open = (settings: Partial<Settings>) =>
    openConsole(database, settings).clientWith(headers).operators.getSession;
  const other = { ...changed, password: await hashPassword("another") };
  const ended = open({ operators: { ada: other } });
  expect(await ended.result()).toMatchObject({
    error: { name: "Unauthorized" },
  });
  // The role of a session is that of the settings.
  const demoted = { ...operators.ada, role: "read-only" as const };
  expect(await open({ operators: { ada: demoted } })()).toMatchObject({
    session: { operator: "ada", role: "read-only" },
  });
});

test("ends all sessions of an operator, or of everyone", async () => {
  const open = async (address: string, message: object) => {
    const { body } = await signInFrom(address, { ...message, asToken: true });
    const headers = { authorization: `Bearer ${body.token}` };
    return clientWith(headers).operators;
  };
  await client.operators.endSessions({});
  const ofAda = [await open("10.0.1.1", ada), await open("10.0.1.2", ada)];
  const ofOwner = await open("10.0.1.3", {
    ...{ operator: owner, password: testToken },
  });
  expect(await ofOwner.endSessions({ operator: "ada" })).toEqual({ count: 2 });
  for (const each of ofAda) {
    expect(await each.getSession.result()).toMatchObject({ ok: false });
  }
  expect(await ofOwner.endSessions({})).toEqual({ count: 1 });
  expect(await ofOwner.getSession.result()).toMatchObject({ ok: false });
});
