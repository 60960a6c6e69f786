import { createHmac } from "node:crypto";

import { type Selectable, sql } from "kysely";

import type { ProjectTable } from "../../database/tables/keys.js";
import type { KeyStore } from "../../keys/key-store.js";
import type { MasterKeys } from "../../keys/master-secret.js";

/** For this long, webhooks are signed with the replaced secret, too. */
const overlapMs = 24 * 60 * 60 * 1000;

/** What decides which secrets a project has. */
export type SecretFacts = Pick<
  Selectable<ProjectTable>,
  "id" | "webhook_secret_version" | "webhook_secret_rotated_at"
>;

/**
 * The secrets that the webhooks of a project are signed with, as the Standard
 * Webhooks specification writes them: the current one, then for a day the one
 * that it has replaced. They are derived, the same each time, and kept nowhere.
 */
export function webhookSecretsOf(
  keys: Pick<MasterKeys, "webhooks">,
  project: SecretFacts,
): readonly [string, ...string[]] {
  const { webhook_secret_version: version } = project;
  const current = derive(keys, project.id, version);
  const rotatedAt = project.webhook_secret_rotated_at?.getTime() ?? -Infinity;
  return Date.now() - rotatedAt > overlapMs
    ? [current]
    : [current, derive(keys, project.id, version - 1)];
}

function derive(
  { webhooks }: Pick<MasterKeys, "webhooks">,
  projectId: number,
  version: number,
): string {
  const name = `project ${projectId}${version === 1 ? "" : ` ${version}`}`;
  const secret = createHmac("sha256", webhooks).update(name);
  return `whsec_${secret.digest("base64")}`;
}

/** Reads the current secret of a project that exists. */
export async function readWebhookSecret(
  { database, keys }: KeyStore,
  projectId: number,
): Promise<string> {
  const row = await database
    .selectFrom("projects")
    .selectAll()
    .where("id", "=", projectId)
    .executeTakeFirstOrThrow();
  return webhookSecretsOf(keys, row)[0];
}

/** Replaces the secret of a project that exists. Output: the new one. */
export async function rotateWebhookSecret(
  { database, keys }: KeyStore,
  projectId: number,
): Promise<string> {
  const row = await database
    .updateTable("projects")
    .set((project) => ({
      webhook_secret_version: project("webhook_secret_version", "+", 1),
      webhook_secret_rotated_at: sql<Date>`now()`,
    }))
    .where("id", "=", projectId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return webhookSecretsOf(keys, row)[0];
}
