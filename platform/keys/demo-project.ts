import { createHmac, timingSafeEqual } from "node:crypto";

import type { Transaction } from "kysely";

import type { Tables } from "../database/schema.js";
import { makeAccessKey } from "./access-key.js";
import {
  createAccessKey,
  createProject,
  createSecret,
  type KeyStore,
} from "./key-store.js";

/** The project that is there from the start, with its keys. */
export interface DemoProject {
  readonly id: number;
  readonly accessKey: string;
  readonly secret: string;
  /** Whether it was made just now. */
  readonly isNew: boolean;
}

const yearMs = 365 * 24 * 60 * 60 * 1000;

/**
 * Makes sure that a database was set up with the secret that we have.
 *
 * Errors: Error when it was set up with another one.
 */
export async function requireSameSecret({
  database,
  keys,
}: KeyStore): Promise<void> {
  await database
    .insertInto("platform")
    .values({ secret_check: keys.check, demo_project_id: null })
    .onConflict((conflict) => conflict.column("is_only").doNothing())
    .execute();
  const row = await database
    .selectFrom("platform")
    .select("secret_check")
    .executeTakeFirstOrThrow();
  if (timingSafeEqual(row.secret_check, keys.check)) return;
  throw new Error(
    "the database was set up with another PLATFORM_SECRET: " +
      "its access keys and secrets would all be refused",
  );
}

/**
 * Finds the demo project, or makes it. Its keys are derived and not kept, so
 * that each start, and each instance, finds the same.
 *
 * Input: `fill` puts into a new project what is to be there, in the same
 * transaction.
 * Errors: those of `requireSameSecret`.
 */
export async function findOrMakeDemoProject(
  { database, keys }: KeyStore,
  fill: (database: Transaction<Tables>, projectId: number) => Promise<void>,
): Promise<DemoProject> {
  await requireSameSecret({ database, keys });
  return database.transaction().execute(async (transaction) => {
    const store = { database: transaction, keys };
    // Instances that start at once wait here for the first.
    const row = await transaction
      .selectFrom("platform")
      .select("demo_project_id")
      .forUpdate()
      .executeTakeFirstOrThrow();
    const isNew = row.demo_project_id === null;
    const id = row.demo_project_id ?? (await createProject(store, "Demo")).id;
    const demo = { ...(await makeKeys(store, id)), id, isNew };
    if (isNew) {
      await transaction
        .updateTable("platform")
        .set({ demo_project_id: id })
        .execute();
      await fill(transaction, id);
    }
    return demo;
  });
}

/** The keys again, and in the database unless they are there already. */
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
    id: `demo-${projectId}`,
    projectId,
    scopes: ["read", "write"],
    issuedAt: createdAt,
    expiresAt: new Date(createdAt.getTime() + 10 * yearMs),
  });
  await createAccessKey(store, { projectId, name: "Demo", accessKey });
  return { accessKey, secret };
}
