import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";

import { SignJWT } from "jose";
import { type Kysely, sql } from "kysely";
import pg from "pg";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";

import type { Tables } from "../../database/schema.js";
import { makeAccessKey, projectOfAccessKey } from "../../keys/access-key.js";
import { findOrMakeDemoProject } from "../../keys/demo-project.js";
import { findKeys, requireSameSecret } from "../../keys/find-keys.js";
import { createSecret, revokeKey } from "../../keys/key-store.js";
import { deriveKeys } from "../../keys/master-secret.js";
import {
  createTestProject,
  headersOf,
  servePlatform,
  testKeys,
  type TestProject,
} from "../support/serve-platform.js";
import { createDataFolder } from "../start/start-platform.js";
import { countLockWaits, keepIdle } from "../support/count-lock-waits.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();
const trialDatabase = await openTestDatabase();
const platform = servePlatform(database);
const { store } = platform;
const later = new Date(Date.now() + 60_000);

let project: TestProject;
beforeAll(async () => {
  project = await createTestProject(store);
});

const address = "0x0123456789abcdef0123456789abcdef01234567";
const filters = { contractAddresses: [], events: [] };

/** Returns the database with a plugin that reports each query. */
function listenTo(
  database: Kysely<Tables>,
  onQuery: (query: object) => void,
): Kysely<Tables> {
  const listened = database.withPlugin({
    transformQuery: ({ node }) => {
      onQuery(node);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  // Plugins do not see queries that are compiled already.
  const execute: typeof listened.executeQuery = (query) => {
    onQuery(query);
    return database.executeQuery(query);
  };
  return Object.assign(listened, { executeQuery: execute });
}

/** Makes a call that requires both keys. Output: the outcome. */
async function addSponsor(
  keys: Partial<Pick<TestProject, "accessKey" | "secret">>,
  more: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const headers = {
    ...(keys.accessKey !== undefined && { "x-access-key": keys.accessKey }),
    ...(keys.secret !== undefined && {
      authorization: `Bearer ${keys.secret}`,
    }),
    ...more,
  };
  const message = { projectId: project.id, address };
  const { status, body } = await platform.call(
    "/rpc/Relayer/AddGasSponsor",
    headers,
    message,
  );
  return status === 200 ? 200 : `${status} ${String(body["error"])}`;
}

test("resolves access keys to their projects", () => {
  const key = makeAccessKey(2 ** 53 - 1);
  expect(Buffer.from(key, "base64url")).toHaveLength(26);
  expect(key).toMatch(/^[\w-]{35}$/u);
  expect(projectOfAccessKey(key)).toBe(2 ** 53 - 1);
  expect(makeAccessKey(1)).not.toBe(makeAccessKey(1));
});

/** Changes the bits of the last letter that are not part of any byte. */
function withOtherLetters(key: string): string {
  const bytes = Buffer.from(key, "base64url").toString("base64url");
  const letters = Array.from(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
  );
  const last = letters.indexOf(bytes.slice(-1));
  return bytes.slice(0, -1) + letters[last + 1];
}

test.each([
  ["nothing", ""],
  ["another version", `Ag${makeAccessKey(1).slice(2)}`],
  ["too short", makeAccessKey(1).slice(0, -1)],
  ["too long", `${makeAccessKey(1)}A`],
  ["padded", `${makeAccessKey(1)}=`],
  ["an invalid character", `${makeAccessKey(1).slice(0, -1)}!`],
  ["different letters for the same bytes", withOtherLetters(makeAccessKey(1))],
])("rejects an invalid access key: %s", (_, text) => {
  expect(projectOfAccessKey(text)).toBeNull();
});

describe("a call that requires both keys", () => {
  test("succeeds with both keys", async () => {
    expect(await addSponsor(project)).toBe(200);
  });

  test("is rejected without the access key or with an unknown one", async () => {
    const { secret } = project;
    expect(await addSponsor({ secret })).toBe("401 AccessKeyNotFound");
    const accessKey = makeAccessKey(project.id);
    expect(await addSponsor({ accessKey, secret })).toBe(
      "401 AccessKeyNotFound",
    );
  });

  test("is rejected without the secret or with a forged one", async () => {
    const { accessKey } = project;
    const refused = "403 PermissionDenied";
    expect(await addSponsor({ accessKey })).toBe(refused);
    expect(await addSponsor({ accessKey, secret: "x.y.z" })).toBe(refused);
    const forged = await new SignJWT({ project: project.id })
      .setProtectedHeader({ alg: "HS256" })
      .setJti(randomUUID())
      .setExpirationTime(later)
      .sign(Buffer.alloc(32, 1));
    expect(await addSponsor({ accessKey, secret: forged })).toBe(refused);
    const [, payload = ""] = project.secret.split(".");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    const unsigned = `${none}.${payload}.`;
    expect(await addSponsor({ accessKey, secret: unsigned })).toBe(refused);
  });

  test.each([
    ["that PostgreSQL cannot compare", "\u0000"],
    ["of any other form", "demo-0 "],
    ["that is no text", 7],
  ])("is rejected with a forged secret with an ID %s", async (_, jti) => {
    const query = vi.spyOn(pg.Client.prototype, "query");
    onTestFinished(() => query.mockRestore());
    const claims: Record<string, unknown> = {
      jti,
      project: project.id,
      exp: 1,
    };
    const secret = await new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256" })
      .sign(Buffer.alloc(32, 1));
    const keys = { ...project, secret };
    expect(await addSponsor(keys)).toBe("403 PermissionDenied");
    const texts = query.mock.calls.map(([first]) => Object(first).text);
    expect(texts.filter((text) => /"secrets"/u.test(text))).toEqual([]);
  });

  test("is rejected with a signed secret that is not stored", async () => {
    const unknown = await new SignJWT({ project: project.id })
      .setProtectedHeader({ alg: "HS256" })
      .setJti(randomUUID())
      .setExpirationTime(later)
      .sign(testKeys.signing);
    const keys = { ...project, secret: unknown };
    expect(await addSponsor(keys)).toBe("403 PermissionDenied");
  });

  test("is rejected with a key of a project that the request does not name", async () => {
    const other = await createTestProject(store);
    const { accessKey, secret } = other;
    expect(await addSponsor({ ...project, secret })).toBe(
      "403 PermissionDenied",
    );
    for (const keys of [{ ...project, accessKey }, other]) {
      expect(await addSponsor(keys)).toBe("401 AccessKeyNotFound");
    }
  });

  test("is rejected with a read-only secret", async () => {
    const { key: secret } = await createSecret(store, {
      projectId: project.id,
      scopes: ["read"],
      expiresAt: later,
    });
    expect(await addSponsor({ ...project, secret })).toBe(
      "403 PermissionDenied",
    );
  });

  test("is rejected with an expired secret", async () => {
    const { key: secret } = await createSecret(store, {
      projectId: project.id,
      scopes: ["read", "write"],
      expiresAt: new Date(Date.now() - 1000),
    });
    expect(await addSponsor({ ...project, secret })).toBe("403 SessionExpired");
  });

  test("is rejected from web pages if the settings say so", async () => {
    const strict = servePlatform(database, { refuseSecretsOfPages: true });
    const origin = "https://app.example.com";
    expect(await addSponsor(project, { origin })).toBe(200);
    const { status } = await strict.call(
      "/rpc/Relayer/AddGasSponsor",
      { ...headersOf(project), origin },
      { projectId: project.id, address },
    );
    expect(status).toBe(403);
  });
});

test.each([
  ["AddWebhookListener", { url: "https://example.com", filters }],
  ["RemoveWebhookListener", { id: "1", projectId: "1" }],
])("%s is rejected with keys from two projects", async (method, message) => {
  const { secret } = await createTestProject(store);
  const { status, body } = await platform.call(
    `/rpc/Indexer/${method}`,
    headersOf({ ...project, secret }),
    message,
  );
  expect([status, body["error"]]).toEqual([403, "PermissionDenied"]);
});

test("throttles a caller that guesses access keys, without querying the database", async () => {
  const addressRateLimit = { requestsPerSecond: 0.01, burst: 3 };
  let queries = 0;
  const counted = listenTo(trialDatabase, () => (queries += 1));
  const held = servePlatform(counted, { addressRateLimit });
  const { id, accessKey: good } = await createTestProject(held.store);
  const ask = async (accessKey: string): Promise<number> => {
    const headers = { "x-access-key": accessKey };
    const message = { projectId: id };
    const path = "/rpc/Builder/ListAudiences";
    return (await held.call(path, headers, message)).status;
  };
  expect(await ask(good)).toBe(200);
  for (const status of [401, 401, 401, 429]) {
    queries = 0;
    expect(await ask(makeAccessKey(id))).toBe(status);
    expect(queries > 0).toBe(status === 401);
  }
  // Callers with a known valid key are not throttled.
  expect(await ask(good)).toBe(200);
});

test("shares one query between concurrent requests with the same key", async () => {
  let queries = 0;
  const counted = listenTo(database, (query) => {
    if (JSON.stringify(query).includes("access_keys")) queries += 1;
  });
  const { call } = servePlatform(counted);
  const list = () =>
    call("/rpc/Builder/ListAudiences", headersOf(project), {
      projectId: project.id,
    });
  const answers = await Promise.all(Array.from({ length: 20 }, list));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(queries).toBeGreaterThan(0);
  expect(queries).toBeLessThan(10);
});

test("keeps database connections for others while a caller makes up secrets", async () => {
  const other = await createTestProject(store);
  const makeUp = () =>
    new SignJWT({ project: project.id })
      .setProtectedHeader({ alg: "HS256" })
      .setJti(randomUUID())
      .setExpirationTime(later)
      .sign(Buffer.alloc(32, 1));
  const secrets = await Promise.all(Array.from({ length: 24 }, makeUp));
  let waiting: Promise<unknown> = Promise.resolve();
  await database.transaction().execute(async (transaction) => {
    await keepIdle(transaction);
    await sql`lock table secrets`.execute(transaction);
    const add = (secret: string) => addSponsor({ ...project, secret });
    waiting = Promise.all(secrets.map(add));
    await expect.poll(() => countLockWaits(database)).toBe(3);
    const path = "/rpc/Builder/ListAudiences";
    const message = { projectId: other.id };
    const { status } = await platform.call(path, headersOf(other), message);
    expect(status).toBe(200);
    expect(await countLockWaits(database)).toBe(3);
  });
  await waiting;
});

test("rejects a revoked key immediately", async () => {
  const { id, accessKey, secret } = await createTestProject(store);
  const call = async (): Promise<number> => {
    const { status } = await platform.call(
      "/rpc/Relayer/AddGasSponsor",
      headersOf({ accessKey, secret }),
      { projectId: id, address },
    );
    return status;
  };
  expect(await call()).toBe(200);
  expect(await revokeKey(store, secret)).toBe(id);
  expect(await call()).toBe(403);
  expect(await revokeKey(store, accessKey)).toBe(id);
  expect(await call()).toBe(401);
  expect(await revokeKey(store, accessKey)).toBeNull();
});

test("the database stores no keys", async () => {
  const rows = [
    ...(await database.selectFrom("access_keys").selectAll().execute()),
    ...(await database.selectFrom("secrets").selectAll().execute()),
  ];
  const text = rows
    .map(({ hash, ...row }) => JSON.stringify(row) + hash.toString("latin1"))
    .join();
  for (const key of [project.accessKey, project.secret]) {
    expect(text).not.toContain(key);
    expect(text).not.toContain(
      Buffer.from(key, "base64url").toString("latin1"),
    );
  }
});

describe("the demo project", () => {
  const fill = vi.fn(() => Promise.resolve());
  const make = () => findOrMakeDemoProject(store, fill);

  test("is created once with the same keys, even by concurrent starts", async () => {
    const made = await Promise.all([make(), make(), make()]);
    expect(fill).toHaveBeenCalledTimes(1);
    const keys = made.map(({ id, accessKey, secret }) =>
      [id, accessKey, secret].join(),
    );
    expect(new Set(keys).size).toBe(1);
  });

  test("cannot be opened with a different secret", async () => {
    await make();
    const keys = deriveKeys("another secret, which is long enough, too");
    await expect(
      findOrMakeDemoProject({ database, keys }, fill),
    ).rejects.toThrow("PLATFORM_SECRET");
  });
});

test("creates a secret only for a new database", async () => {
  const database = await openTestDatabase();
  const settings = {
    secret: null,
    oldSecret: null,
    dataFolder: createDataFolder(),
  };
  const keys = await findKeys(database, settings);
  await requireSameSecret({ database, keys });
  expect(await findKeys(database, settings)).toEqual(keys);
  const other = {
    secret: null,
    oldSecret: null,
    dataFolder: createDataFolder(),
  };
  await expect(findKeys(database, other)).rejects.toThrow(
    "another PLATFORM_SECRET",
  );
  expect(readdirSync(other.dataFolder)).toEqual([]);
});
