// Runs the browser tests in Chromium: the one at CHROMIUM_PATH, the system's,
// or Playwright's. If there is none, prints a message and skips the tests.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { runPart } from "./run-part.js";

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
  const variables = { CHROMIUM_PATH: path };
  process.exitCode = runPart("browser", process.argv.slice(2), variables);
}
