import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, expect, onTestFinished } from "vitest";
import { answers } from "./console-answers.js";
import { launchChromium } from "./launch-chromium.js";
import { serveMockedConsole, type MockedConsole } from "./mocked-console.js";

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
