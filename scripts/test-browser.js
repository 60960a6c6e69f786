// Runs the browser tests in Chromium: the one at CHROMIUM_PATH, the system's,
// or Playwright's. If there is none, prints a message and skips the tests.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { vitestShare } from "./share.js";

const path = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  chromium.executablePath(),
].find((candidate) => candidate && existsSync(candidate));

if (path === undefined) {
  console.log(
    "NOT RUN: browser tests. Chromium was not found. Set CHROMIUM_PATH to its path.",
  );
} else {
  const { status } = spawnSync(
    process.execPath,
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--config",
      "vitest.browser.config.ts",
      ...vitestShare,
    ],
    { stdio: "inherit", env: { ...process.env, CHROMIUM_PATH: path } },
  );
  process.exitCode = status ?? 1;
}
