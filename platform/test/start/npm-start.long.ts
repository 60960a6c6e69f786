import { expect, onTestFinished, test } from "vitest";

import {
  createDataFolder,
  spawnPlatform,
  waitUntilGone,
} from "./start-platform.js";

test("`npm start` builds, serves the demo project, and leaves nothing running", async () => {
  const folder = createDataFolder();
  // `npm start` itself asks for the demo project.
  const environment = { DEMO: undefined };
  const command = ["npm", "start", "--"] as const;
  const started = spawnPlatform(folder, environment, command);
  onTestFinished(async () => {
    // npm cannot forward this signal, but the platform notices its end.
    await started.end("SIGKILL");
    await waitUntilGone(folder);
  });
  const ready = await started.ready;
  const { accessKey, adminUrl, baseUrl, metricsUrl, secret } = ready;
  expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);
  expect([accessKey, secret]).not.toContain(undefined);
  // It has built these pages.
  for (const page of [`${baseUrl}/`, `${adminUrl}/`]) {
    expect(await (await fetch(page)).text()).toContain("<script");
  }
  await started.end("SIGTERM");
  await waitUntilGone(folder);
  expect(started.output()).toContain('"msg":"stopped"');
  for (const url of [baseUrl, adminUrl, metricsUrl]) {
    await expect(fetch(url)).rejects.toMatchObject({
      cause: { code: "ECONNREFUSED" },
    });
  }
});
