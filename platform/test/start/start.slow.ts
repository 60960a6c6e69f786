import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { writeReadyFile } from "../../announce/ready-file.js";
import { migrate } from "../../database/migrate.js";
import { migrations } from "../../database/migrations/index.js";
import { openDatabase } from "../../database/pool.js";
import { findKeys, requireSameSecret } from "../../keys/find-keys.js";
import { servePlatform } from "../support/serve-platform.js";
import { createDatabase, silent } from "../support/test-database.js";
import { createDataFolder, startProcess } from "./start-platform.js";

test("reports an invalid variable", { timeout: 120_000 }, async () => {
  const folder = createDataFolder();
  const started = startProcess(folder, { PORT: "http" });
  await expect(started).rejects.toThrow(
    /PORT: expected an integer from 0 to 65535, got "http"/u,
  );
});

test("does not migrate a database that was set up with another secret", async () => {
  const url = await createDatabase();
  const { "0082-budgets": newest, ...older } = migrations;
  expect(newest).toBeDefined();
  await migrate(url, older);
  const { database } = openDatabase(url, silent);
  onTestFinished(() => database.destroy());
  const dataFolder = createDataFolder();
  const secret = "the secret of the instances that run";
  const keys = await findKeys(database, {
    ...{ secret, dataFolder, oldSecret: null },
  });
  await requireSameSecret({ database, keys });
  const environment = { DATABASE_URL: url, PLATFORM_SECRET: "x".repeat(32) };
  await expect(startProcess(dataFolder, environment)).rejects.toThrow(
    "set up with another PLATFORM_SECRET",
  );
  expect(await migrate(url)).toContain("0082-budgets");
});

test("writes the ready file even if the database has just stopped", () => {
  const path = join(createDataFolder(), "ready.json");
  const { database } = openDatabase("postgres://127.0.0.1:9/none", silent);
  onTestFinished(() => database.destroy());
  const { platform } = servePlatform(database);
  const demo = {
    ...{ id: 1, accessKey: "a", secret: "b", webhookSecret: "c" },
    audience: 7,
  };
  const urls = {
    baseUrl: "http://a",
    metricsUrl: "",
    adminUrl: "",
  };
  const close = (): Promise<void> => Promise.resolve();
  writeReadyFile(path, { ...urls, platform, demo, ownChain: null, close });
  const ready: unknown = JSON.parse(readFileSync(path, "utf8"));
  expect(ready).toMatchObject({ projectId: 1, fixtures: { audience: 7 } });
});
