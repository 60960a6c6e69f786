import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { writeReadyFile } from "../../announce/ready-file.js";
import { openDatabase } from "../../database/pool.js";
import { servePlatform } from "../support/serve-platform.js";
import { silent } from "../support/test-database.js";
import { createDataFolder, startProcess } from "./start-platform.js";

test("reports an invalid variable", { timeout: 120_000 }, async () => {
  const folder = createDataFolder();
  const started = startProcess(folder, { PORT: "http" });
  await expect(started).rejects.toThrow(
    /PORT: expected an integer from 0 to 65535, got "http"/u,
  );
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
  const urls = { baseUrl: "http://a", metricsUrl: "", adminUrl: "" };
  const close = (): Promise<void> => Promise.resolve();
  writeReadyFile(path, { ...urls, platform, demo, ownChain: null, close });
  const ready: unknown = JSON.parse(readFileSync(path, "utf8"));
  expect(ready).toMatchObject({ projectId: 1, fixtures: { audience: 7 } });
});
