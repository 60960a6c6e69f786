import { expect, test } from "vitest";

import { createKeyLimiter } from "../../keys/key-limiter.js";
import { findKeys, requireSameSecret } from "../../keys/find-keys.js";
import {
  createAccessKey,
  createProject,
  createSecret,
  findSecret,
  type KeyStore,
  revokeKey,
} from "../../keys/key-store.js";
import { deriveKeys } from "../../keys/master-secret.js";
import { findSession, startSession } from "../../console/sign-in/sessions.js";
import {
  readWebhookSecret,
  webhookSecretsOf,
} from "../../services/indexer/webhook-secret.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();
const oldSecret = "the secret that was used until now";
const secret = "the secret that replaces the old one";
const limit = { requestsPerSecond: 1000, burst: 1000 };

const accepts = async (store: KeyStore, accessKey: string): Promise<boolean> =>
  (await createKeyLimiter(store, limit).take(accessKey)) !== null;

/** Creates keys of a project, as a platform with a store does. */
async function createKeys(store: KeyStore) {
  const { id: projectId } = await createProject(store, "Rotation");
  const access = await createAccessKey(store, { projectId });
  const { key: secretKey } = await createSecret(store, {
    ...{ projectId, scopes: ["write"] },
    expiresAt: new Date(Date.now() + 60_000),
  });
  return { projectId, accessKey: access.key, secretKey };
}

test("follows the procedure that replaces PLATFORM_SECRET", async () => {
  const settings = { dataFolder: "unused" };
  const before = { database, keys: deriveKeys(oldSecret) };
  await requireSameSecret(before);
  const used = await createKeys(before);
  const unused = await createKeys(before);
  const session = await startSession(before, {
    ...{ operator: "ada", credential: null },
    expiresAt: new Date(Date.now() + 60_000),
  });
  const webhookSecret = await readWebhookSecret(before, used.projectId);

  // Step 1: all instances accept both secrets.
  const both = { database, keys: deriveKeys(oldSecret, secret) };
  await requireSameSecret(both);
  // Step 2: the secrets change places. Instances of both steps run side by side.
  const during = {
    database,
    keys: await findKeys(database, {
      ...{ ...settings, secret, oldSecret },
    }),
  };
  await requireSameSecret(during);
  for (const store of [both, during, both, during]) {
    expect(await accepts(store, used.accessKey)).toBe(true);
    expect(await findSecret(store, used.secretKey)).toMatchObject({
      projectId: used.projectId,
    });
    expect(await findSession(store, session)).toMatchObject({
      operator: "ada",
    });
    await requireSameSecret(store);
  }
  const made = await createKeys(during);
  expect(await accepts(both, made.accessKey)).toBe(true);
  const project = await database
    .selectFrom("projects")
    .selectAll()
    .where("id", "=", used.projectId)
    .executeTakeFirstOrThrow();
  const newWebhookSecret = await readWebhookSecret(during, used.projectId);
  expect(newWebhookSecret).not.toBe(webhookSecret);
  // Receivers that still have the old webhook secret can verify webhooks.
  expect(webhookSecretsOf(during.keys, project)).toEqual([
    newWebhookSecret,
    webhookSecret,
  ]);
  // Keys are used after all instances have reached step 2.
  await requireSameSecret(during);
  for (const keys of [used, made]) {
    expect(await accepts(during, keys.accessKey)).toBe(true);
    expect(await findSecret(during, keys.secretKey)).not.toBeNull();
  }

  // Step 3: the old secret is removed.
  const after = {
    database,
    keys: await findKeys(database, {
      ...{ ...settings, secret, oldSecret: null },
    }),
  };
  await requireSameSecret(after);
  for (const keys of [used, made]) {
    expect(await accepts(after, keys.accessKey)).toBe(true);
    expect(await findSecret(after, keys.secretKey)).not.toBeNull();
  }
  expect(await accepts(after, unused.accessKey)).toBe(false);
  expect(await findSecret(after, unused.secretKey)).toBeNull();
  await expect(requireSameSecret(before)).rejects.toThrow(
    "another PLATFORM_SECRET",
  );
});

test("accepts a key that two instances with both secrets use concurrently", async () => {
  const first = { database, keys: deriveKeys(oldSecret, secret) };
  const { accessKey } = await createKeys(first);
  const second = { database, keys: deriveKeys(secret, oldSecret) };
  const limiters = [first, second].map((store) =>
    createKeyLimiter(store, limit),
  );
  const results: boolean[] = [];
  await Promise.all(
    limiters.map(async (limiter) => {
      for (let round = 0; round < 100; round += 1) {
        results.push((await limiter.take(accessKey)) !== null);
      }
    }),
  );
  expect(results).not.toContain(false);
});

test("can revoke a key that an old secret created", async () => {
  const store = { database, keys: deriveKeys(oldSecret) };
  const { accessKey, projectId, secretKey } = await createKeys(store);
  const during = { database, keys: deriveKeys(secret, oldSecret) };
  expect(await revokeKey(during, accessKey)).toBe(projectId);
  expect(await accepts(during, accessKey)).toBe(false);
  expect(await revokeKey(during, secretKey)).toBe(projectId);
  expect(await findSecret(during, secretKey)).toBeNull();
});
