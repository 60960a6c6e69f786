import { expect, test } from "vitest";

import { hostileTexts } from "../support/hostile-texts.js";
import {
  createTestProject,
  headersOf,
  servePlatform,
} from "../support/serve-platform.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();

test("logs calls whose fields have any name, and those of others", async () => {
  const { call, counters, store } = servePlatform(database);
  const { id, ...keys } = await createTestProject(store);
  const path = "/rpc/Metadata/GetTokenMetadataBatch";
  for (const { text } of hostileTexts) {
    const name = text.slice(0, 10_000);
    const message = { chainID: "1", contractTokenMap: { [name]: 0 } };
    const { status } = await call(path, headersOf(keys), message);
    expect(status).toBe(400);
  }
  await counters.flush();
  const rows = await database
    .selectFrom("logged_calls")
    .select("invalid_fields")
    .where("project_id", "=", id)
    .orderBy("id")
    .execute();
  expect(rows.map(({ invalid_fields: fields }) => fields)).toEqual(
    hostileTexts.map(({ excerpt }) => [
      [...`/contractTokenMap/${excerpt}`].slice(0, 100).join("").trim(),
    ]),
  );
});
