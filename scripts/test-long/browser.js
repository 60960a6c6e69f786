// Runs the browser tests in Chromium: the one at CHROMIUM_PATH or the system's. If
// there is none, prints a message and skips the tests.
import { existsSync } from "node:fs";
import { installPackages } from "./install-packages.js";
import { runPart } from "./run-part.js";

const path = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((candidate) => candidate && existsSync(candidate));

if (path === undefined) {
  console.log(
    "NOT RUN: browser tests. Chromium was not found. Set CHROMIUM_PATH to its path.",
  );
} else if (!installPackages("test")) {
  console.log("NOT RUN: browser tests. The npm registry is not reachable.");
} else {
  const variables = { CHROMIUM_PATH: path };
  process.exitCode = runPart("browser", process.argv.slice(2), variables);
}
