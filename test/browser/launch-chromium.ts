import { type Browser, chromium } from "playwright-core";

/** Starts the Chromium that `scripts/test-long/browser.js` has found. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "",
    args: [
      "--disable-background-networking",
      // Chromium cannot use its sandbox as root.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ],
  });
}
