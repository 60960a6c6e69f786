import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, expect, onTestFinished } from "vitest";
import { answers } from "./console-answers.js";
import { launchChromium } from "./launch-chromium.js";
import { serveMockedConsole, type MockedConsole } from "./mocked-console.js";

const axe = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** The console's page with mock data, and a browser that shows it. */
export interface OpenMockedConsole extends Omit<MockedConsole, "close"> {
  /** Opens a tab as a signed-in user. The page must not log errors. */
  openTab(options?: BrowserContextOptions): Promise<Page>;
}

/** Serves the page, and starts a browser for all tests of a file. */
export async function openMockedConsole(): Promise<OpenMockedConsole> {
  const server = await serveMockedConsole(answers);
  const browser = await launchChromium();
  afterAll(async () => {
    await browser.close();
    await server.close();
  });
  return {
    ...server,
    openTab: async (options = {}) => {
      const context = await browser.newContext(options);
      const { hostname } = new URL(server.url);
      await context.addCookies([
        { name: "session", value: "1", domain: hostname, path: "/" },
      ]);
      const tab = await context.newPage();
      const complaints: string[] = [];
      tab.on("pageerror", ({ message }) => complaints.push(message));
      tab.on("console", (message) => {
        const isAnswer = /status of 4|net::ERR_/u.test(message.text());
        if (message.type() === "error" && !isAnswer)
          complaints.push(message.text());
      });
      onTestFinished(async () => {
        await context.close();
        expect(complaints).toEqual([]);
      });
      return tab;
    },
  };
}

/** Waits until a page has loaded all of its data. */
export async function waitForPage(tab: Page): Promise<void> {
  await tab.locator("h1").waitFor();
  await expect.poll(() => tab.locator(".waiting").count()).toBe(0);
}

/** Returns the violations that axe finds in a loaded page, one per line. */
export async function findFaults(tab: Page): Promise<readonly string[]> {
  // The page's policy allows no other scripts, but the debugger can inject one.
  await tab.evaluate(axe);
  const { violations }: AxeResults = await tab.evaluate("axe.run()");
  return violations.map(
    ({ id, impact, nodes }) => `${impact}: ${id}: ${nodes[0]?.html}`,
  );
}
