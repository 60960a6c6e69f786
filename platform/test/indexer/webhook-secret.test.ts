import { expect, test } from "vitest";

import {
  readWebhookSecret,
  rotateWebhookSecret,
  webhookSecretsOf,
} from "../../services/indexer/webhook-secret.js";
import { createTestProject, servePlatform } from "../support/serve-platform.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();
const { store } = servePlatform(database);

test("refuses a rotation that would end a secret within a day", async () => {
  const { id } = await createTestProject(store);
  const secrets = [await readWebhookSecret(store, id)];
  for (let count = 0; count < 5; count += 1) {
    secrets.unshift((await rotateWebhookSecret(store, id)).secret);
  }
  await expect(rotateWebhookSecret(store, id)).rejects.toMatchObject({
    name: "PermissionDenied",
  });
  const findRow = () =>
    database
      .selectFrom("projects")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
  expect(webhookSecretsOf(store.keys, await findRow())).toEqual(secrets);
  await database
    .updateTable("projects")
    .set({ webhook_secret_rotated_at: new Date(Date.now() - 86_400_000) })
    .where("id", "=", id)
    .execute();
  const { secret } = await rotateWebhookSecret(store, id);
  const signing = webhookSecretsOf(store.keys, await findRow());
  expect(signing).toEqual([secret, secrets[0]]);
});
