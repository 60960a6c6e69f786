import { createHmac } from "node:crypto";

import { sql } from "kysely";

import { PermissionDeniedError } from "../../../generated/errors.js";
import type { Row } from "../../database/schema.js";
import type { KeyStore } from "../../keys/key-store.js";
import type { MasterKeys } from "../../keys/master-secret.js";

/**
 * How long webhooks are still signed with the previous secret after a rotation.
 */
const overlapMs = 24 * 60 * 60 * 1000;

/** The maximum number of previous secrets that sign webhooks. */
const maxKept = 5;

/** The columns that a project's secrets are derived from. */
export type SecretFacts = Pick<
  Row<"projects">,
  | "id"
  | "webhook_secret_version"
  | "webhook_secret_rotated_at"
  | "webhook_secret_kept_version"
>;

/**
 * Returns the secrets that sign a project's webhooks, in the format of Standard
 * Webhooks: the current one and, for a day after a rotation, the previous ones
 * since a day before it, up to a limit.
 * While the master secret is being replaced, also those of the previous one.
 * The secrets are derived from the master secret and are not stored.
 */
export function webhookSecretsOf(
  keys: Pick<MasterKeys, "old" | "webhooks">,
  project: SecretFacts,
): readonly [string, ...string[]] {
  const { webhook_secret_version: version } = project;
  const current = derive(keys, project.id, version);
  const rotatedAt = project.webhook_secret_rotated_at?.getTime() ?? -Infinity;
  const isRecent = Date.now() - rotatedAt <= overlapMs;
  const kept = project.webhook_secret_kept_version ?? version - 1;
  const count = isRecent ? Math.min(version - kept, maxKept) : 0;
  return [
    current,
    ...Array.from({ length: count }, (_, age) =>
      derive(keys, project.id, version - 1 - age),
    ),
    ...(keys.old === null ? [] : webhookSecretsOf(keys.old, project)),
  ];
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

/** Reads the current secret of an existing project. */
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

/**
 * Rotates the secret of an existing project and returns the new one.
 *
 * Errors: `PermissionDenied` if one of the secrets that still sign would no
 * longer do so.
 */
export async function rotateWebhookSecret(
  { database, keys }: KeyStore,
  projectId: number,
): Promise<{ readonly secret: string; readonly rotatedAt: Date }> {
  const row = await database
    .updateTable("projects")
    .set((project) => ({
      webhook_secret_version: project("webhook_secret_version", "+", 1),
      // A second rotation within a day must not end the first secret early.
      webhook_secret_kept_version: sql<number>`case
        when webhook_secret_rotated_at > now() - ${overlapMs} * interval '1 ms'
        then coalesce(webhook_secret_kept_version, webhook_secret_version - 1)
        else webhook_secret_version end`,
      webhook_secret_rotated_at: sql<Date>`now()`,
    }))
    .where("id", "=", projectId)
    .where(
      sql<boolean>`(webhook_secret_version - webhook_secret_kept_version >= ${maxKept}
        and webhook_secret_rotated_at > now() - ${overlapMs} * interval '1 ms')
        is not true`,
    )
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) {
    const cause = `the secret was replaced ${maxKept} times; replace it again a day after the last time`;
    throw new PermissionDeniedError({ cause });
  }
  const rotatedAt = row.webhook_secret_rotated_at ?? new Date();
  return { secret: webhookSecretsOf(keys, row)[0], rotatedAt };
}
