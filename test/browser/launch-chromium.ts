import { type Browser, chromium } from "playwright-core";

/** Starts the Chromium that `scripts/test-browser.js` found. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "",
    args: [
      "--disable-background-networking",
      // Chromium has no sandbox for root.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ],
  });
}
