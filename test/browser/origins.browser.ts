import { createServer } from "node:http";

import { chromium, type Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";

import { listen } from "../support/listen.js";
import {
  createTestProject,
  headersOf,
  hostPlatform,
  servePlatform,
} from "../../platform/test/support/serve-platform.js";
import { openTestDatabase } from "../../platform/test/support/test-database.js";

const database = await openTestDatabase();

/** A call from a page on one origin to another origin. */
interface PageCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Makes a call from a page. Output: the data that the page can read, or null if
 * the browser blocks the call.
 */
function callFrom(tab: Page, call: PageCall) {
  return tab.evaluate(async ({ url, headers, body }) => {
    const options = { method: "POST", headers, body };
    const response = await fetch(url, options).catch(() => null);
    if (response === null) return null;
    const id = response.headers.get("x-request-id");
    return { status: response.status, id, answer: await response.json() };
  }, call);
}

test("allows only pages from an allowed origin to make calls and send all their keys", async () => {
  const site = await listen(
    createServer((_, response) => {
      response.setHeader("content-type", "text/html").end("<p>A page.");
    }),
  );
  onTestFinished(site.close);
  const platform = servePlatform(database, { allowedOrigins: [site.url] });
  const project = await createTestProject(platform.store);
  const host = await hostPlatform(platform);
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "",
    args: ["--no-sandbox", "--disable-background-networking"],
  });
  onTestFinished(() => browser.close());
  const tab = await browser.newPage();
  const call = {
    // This method does not use the secret, but clients send it anyway.
    url: `${host.baseUrl}/rpc/Builder/ListAudiences`,
    headers: { ...headersOf(project), "content-type": "application/json" },
    body: JSON.stringify({ projectId: project.id }),
  };

  await tab.goto(site.url);
  expect(await callFrom(tab, call)).toEqual({
    status: 200,
    id: expect.stringMatching(/./u),
    answer: { audiences: [] },
  });
  const stranger = { ...call.headers, "x-access-key": "unknown" };
  expect(await callFrom(tab, { ...call, headers: stranger })).toMatchObject({
    status: 401,
    answer: { error: "AccessKeyNotFound" },
  });

  const elsewhere = new URL(site.url);
  elsewhere.hostname = "localhost";
  await tab.goto(elsewhere.href);
  expect(await callFrom(tab, call)).toBeNull();
});
