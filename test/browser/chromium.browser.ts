import { createServer, type RequestListener } from "node:http";
import { build } from "esbuild";
import { expectRefusal, expectSecret } from "../behavior/expect-secret.js";
import type { Attempt } from "../behavior/invalid-requests.js";
import { startCutter } from "../behavior/start-cutter.js";
import { launchChromium } from "./launch-chromium.js";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RoomGoneError } from "../golden/fixtures/streams/expected/errors.js";
import { createChatServer } from "../golden/fixtures/streams/expected/server.js";
import { toNodeHandler } from "../../runtime/typescript/hosts/node/node.js";
import { listen, type Listening } from "../support/listen.js";
import type { scenarios } from "./page.js";
import { runtimeEntries } from "../support/runtime-entries.js";

let browser: Browser;
let page: Page;
let apiUrl: string;
const servers: Listening[] = [];
/** The rooms whose calls have reached the server, and have ended there. */
const begun: string[] = [];
const ended: string[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = await listen(createServer(listener));
  servers.push(server);
  return server.url;
}

const sentAt = new Date(0);

function messageOf(id: bigint) {
  return { id, author: "a", text: `m${id}`, sentAt, reward: 2n ** 70n };
}

/** Creates the server that the page calls. `origin` is the page's origin. */
function createChat(origin: string) {
  return createChatServer({
    cors: { origins: [origin], headers: ["X-Trace"] },
    handlers: {
      chat: {
        async say({ room, text }, context) {
          if (room === "traced") {
            return { id: BigInt(context.header("x-trace") ?? 0) };
          }
          begun.push(room);
          if (room === "slow") {
            await new Promise((resolve) =>
              context.signal.addEventListener("abort", resolve),
            );
            ended.push("slow");
          }
          return { id: 2n ** 60n + BigInt(text.length) };
        },
        async *watch({ room }) {
          if (room === "gone") throw new RoomGoneError({ cause: "closed" });
          try {
            for (let id = 1n; id <= 3n || room === "endless"; id += 1n) {
              yield messageOf(id);
            }
          } finally {
            ended.push(room);
          }
        },
        async *count() {},
        async *tick() {},
      },
      clock: { async *now() {} },
    },
  });
}

async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${import.meta.dirname}/page.ts`],
    alias: runtimeEntries,
    bundle: true,
    format: "iife",
    globalName: "page",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

beforeAll(async () => {
  const script = await bundlePage();
  const pageUrl = await serve((request, response) => {
    const isScript = request.url === "/page.js";
    const type = isScript ? "text/javascript" : "text/html";
    response.writeHead(200, { "content-type": `${type}; charset=utf-8` });
    response.end(
      isScript ? script : '<!doctype html><script src="/page.js"></script>',
    );
  });
  apiUrl = await serve(toNodeHandler(createChat(pageUrl)));
  browser = await launchChromium();
  page = await browser.newPage();
  await page.goto(pageUrl);
});

afterAll(async () => {
  await browser.close();
  for (const server of servers) await server.close();
});

function run(name: keyof typeof scenarios): Promise<unknown> {
  return page.evaluate(`page.scenarios.${name}(${JSON.stringify(apiUrl)})`);
}

test("calls another origin", async () => {
  expect(await run("call")).toBe("1152921504606846979");
});

test("sends custom headers after a preflight, with interceptors", async () => {
  expect(await run("credentialsAndInterceptors")).toBe("7");
});

test("reports typed errors", async () => {
  expect(await run("typedError")).toEqual({
    error: "RoomGone",
    code: 1,
    msg: "room is gone",
    cause: "closed",
    status: 410,
    isTyped: true,
  });
  expect(await run("validationError")).toMatchObject({
    error: "WebrpcBadRequest",
    status: 400,
    cause: "text: expected a string, got 7",
  });
});

test("reports timeouts and aborts, and ends an aborted call on the server", async () => {
  const call = run("abort");
  await expect.poll(() => begun).toContain("slow");
  await page.evaluate("abort()");
  expect(await call).toBe("aborted");
  await expect.poll(() => ended).toContain("slow");
  expect(await run("timeout")).toBe("timeout");
});

test("reports unreachable servers and blocked requests as network failures", async () => {
  expect(await run("unreachable")).toBe("network");
  expect(await run("refusedByCors")).toBe("network");
});

test("errors do not contain credentials", async () => {
  const attempts = async (
    name: keyof typeof scenarios,
    url = apiUrl,
  ): Promise<readonly Attempt[]> =>
    page.evaluate(`page.scenarios.${name}(${JSON.stringify(url)})`);
  for (const each of await attempts("invalidHeaders")) expectRefusal(each);
  for (const each of await attempts("invalidUrls")) expectRefusal(each);
  const cutter = await startCutter();
  servers.push(cutter);
  for (const each of await attempts("noAnswer", cutter.url)) expectSecret(each);
});

test("streams items one at a time, and ends on both sides when the client leaves the loop", async () => {
  expect(await run("stream")).toEqual(["m1 bigint", "m2 bigint", "m3 bigint"]);
  expect(await run("leaveStream")).toBe("m1");
  await expect.poll(() => ended).toContain("endless");
});
