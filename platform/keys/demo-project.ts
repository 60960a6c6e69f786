import { createHmac } from "node:crypto";

import type { Transaction } from "../database/schema.js";
import { makeAccessKey } from "./access-key.js";
import {
  createAccessKey,
  createProject,
  createSecret,
  type KeyStore,
} from "./key-store.js";
import { requireSameSecret } from "./find-keys.js";
import { demoSecretId } from "./secret.js";

/** The demo project with its keys. */
export interface DemoProject {
  readonly id: number;
  readonly accessKey: string;
  readonly secret: string;
}

const yearMs = 365 * 24 * 60 * 60 * 1000;

/**
 * Finds or creates the demo project. Its keys are derived instead of stored, so
 * that they are the same after each start and in each instance.
 *
 * Input: `fill` adds initial data to a new project, in the same transaction.
 * Errors: any error from `requireSameSecret` or `fill`.
 */
export async function findOrMakeDemoProject(
  { database, keys }: KeyStore,
  fill: (database: Transaction, projectId: number) => Promise<void>,
): Promise<DemoProject> {
  await requireSameSecret({ database, keys });
  return database.transaction().execute(async (transaction) => {
    const store = { database: transaction, keys };
    // If several instances start at the same time, all but the first wait here.
    const row = await transaction
      .selectFrom("platform")
      .select("demo_project_id")
      .forUpdate()
      .executeTakeFirstOrThrow();
    const id = row.demo_project_id ?? (await createProject(store, "Demo")).id;
    const demo = { ...(await makeKeys(store, id)), id };
    if (row.demo_project_id === null) {
      await transaction
        .updateTable("platform")
        .set({ demo_project_id: id })
        .execute();
      await fill(transaction, id);
    }
    return demo;
  });
}

/** Derives the keys again and stores any that are missing. */
async function makeKeys(
  store: KeyStore,
  projectId: number,
): Promise<{ readonly accessKey: string; readonly secret: string }> {
  const random = createHmac("sha256", store.keys.demo)
    .update(`access key ${projectId}`)
    .digest();
  const { created_at: createdAt } = await store.database
    .selectFrom("projects")
    .select("created_at")
    .where("id", "=", projectId)
    .executeTakeFirstOrThrow();
  const accessKey = makeAccessKey(projectId, random);
  const { key: secret } = await createSecret(store, {
    name: "Demo",
    id: demoSecretId(projectId),
    projectId,
    scopes: ["read", "write"],
    issuedAt: createdAt,
    expiresAt: new Date(createdAt.getTime() + 10 * yearMs),
  });
  await createAccessKey(store, { projectId, name: "Demo", accessKey });
  return { accessKey, secret };
}
