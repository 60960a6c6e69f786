import { BaseError, HttpRequestError } from "viem";
import { expect, test } from "vitest";

import { createLog } from "../../../process/failures/create-log.js";
import { factsOf } from "../../../process/failures/error-facts.js";
import { createFailureLog } from "../../../process/failures/failure-log.js";
import { hostileTexts } from "../../support/hostile-texts.js";

/** Creates a log that collects its lines, parsed. */
function openLog() {
  const texts: string[] = [];
  const log = createLog("info", (text) => void texts.push(text));
  const lines = () =>
    texts.map((text): Record<string, unknown> => JSON.parse(text));
  return { log, texts, lines };
}

const secret = "hidden";

/** URLs that contain a secret, and what a log shows of them. */
const urls = [
  ["https://node.test/v2/hidden", "https://node.test/…"],
  ["wss://node.test?key=hidden", "wss://node.test/…"],
  ["https://me:hidden@node.test/", "https://node.test/"],
  ["https://hidden@node.test", "https://node.test"],
  ["postgres://me:hid/hidden@db.test:5432/main", "postgres://db.test:5432/…"],
  ['{"at":"http://[::1]:80/hidden"}', '{"at":"http://[::1]:80/…"}'],
  ['{"at":"http:\\/\\/node.test\\/hidden"}', '{"at":"http:\\/\\/node.test/…"}'],
  ["at_https://node.test/hidden", "at_https://node.test/…"],
  ["postgres://me:hid'den@db.test/main", "postgres://db.test/…"],
] as const;

test.each(urls)("a line does not contain the secret in %s", (text, shown) => {
  const { lines, log, texts } = openLog();
  const inner = Object.assign(new Error(`cannot open ${text}`), {
    ...{ code: "ERR", url: text, config: { secret } },
  });
  const error = new Error(`it failed: ${text}`, { cause: inner });
  log.error({ err: error, rpcUrls: [text], url: { at: text } }, "failed");
  log.error(factsOf(error), "failed");
  log.error(factsOf(text), "failed");
  createFailureLog(log, "failed").note(error);
  expect(texts.join("")).not.toContain(secret);
  const message = `it failed: ${shown}`;
  const err = {
    ...{ type: "Error", message },
    stack: expect.stringMatching(/^at .*create-log\.test/u),
    cause: { type: "Error", message: `cannot open ${shown}`, code: "ERR" },
  };
  expect(lines()).toMatchObject([
    { err, rpcUrls: [shown], url: { at: shown } },
    { err, reason: message },
    { reason: shown },
    { err, reason: message },
  ]);
});

test.each(hostileTexts)("a line contains an excerpt of $name", (each) => {
  const { lines, log } = openLog();
  const { excerpt, text } = each;
  log.error({ err: new Error(text), cause: text, all: [text] }, "failed");
  expect(lines()).toMatchObject([
    { err: { message: excerpt }, cause: excerpt, all: [excerpt] },
  ]);
});

test("a line shows of an error of a node neither its URL nor the request", () => {
  const { lines, log, texts } = openLog();
  const url = "https://node.test/v2/hidden";
  const body = { method: "eth_call", params: ["hidden"] };
  const cause = new HttpRequestError({ body, url });
  const error = new BaseError("it failed", { cause, metaMessages: [url] });
  log.error({ err: error }, "failed");
  expect(texts.join("")).not.toContain(secret);
  expect(lines()).toMatchObject([
    { err: { message: "HTTP request failed." }, msg: "failed" },
  ]);
});

test("a line keeps numbers and other facts, and has few frames and causes", () => {
  const { lines, log } = openLog();
  const chain = (depth: number): Error =>
    new Error(`${depth}`, depth === 0 ? {} : { cause: chain(depth - 1) });
  const error = chain(9);
  error.stack = `Error: 9\n${"    at f (file:///a.js:1:2)\n".repeat(50)}`;
  log.error({ err: error, count: 3, is: true, none: null }, "failed");
  const [line] = lines();
  expect(line).toMatchObject({ count: 3, is: true, none: null });
  expect(String(Object(line?.["err"]).stack).split("\n")).toHaveLength(10);
  expect(JSON.stringify(line)).toContain('"message":"6"');
  expect(JSON.stringify(line)).not.toContain('"message":"5"');
});

test("a line shows a URL object as it shows its text", () => {
  const { lines, log } = openLog();
  log.error({ url: new URL("https://me:hidden@node.test/hidden") }, "failed");
  expect(lines()).toMatchObject([{ url: "https://node.test/…" }]);
});

test("a frame keeps the path of its file", () => {
  const { lines, log } = openLog();
  const error = new Error("it failed");
  const frame = "at f (file:///app/node_modules/@scope/a.js:1:2)";
  error.stack = `Error: it failed\n    ${frame}`;
  log.error({ err: error }, "failed");
  expect(lines()).toMatchObject([{ err: { stack: frame } }]);
});

test("a message cannot add frames to those of an error", () => {
  const { lines, log } = openLog();
  log.error({ err: new Error("it\n    at forged (a.js:1:1)") }, "failed");
  const [line] = lines();
  expect(Object(line?.["err"]).stack).not.toContain("forged");
});

test("a line has the reasons of an error for several addresses", () => {
  const { lines, log } = openLog();
  const reasons = ["refused at [::1]:1", "refused at 127.0.0.1:1"];
  const err = new AggregateError(reasons.map((each) => new Error(each)));
  log.error(factsOf(err), "failed");
  expect(lines()).toMatchObject([
    { reason: reasons.join("; "), err: { message: reasons.join("; ") } },
  ]);
});

test("a text that resembles URLs takes no more than its share of time", () => {
  const { log } = openLog();
  const started = process.cpuUsage();
  for (let times = 0; times < 20; times++)
    log.error({ text: "?a://".repeat(1600) }, "failed");
  const { user } = process.cpuUsage(started);
  expect(user / 20).toBeLessThan(10_000);
});

test("a line has few levels of values, also of one that contains itself", () => {
  const { lines, log } = openLog();
  const value = { all: [{}] };
  value.all.push(value);
  log.error({ value }, "failed");
  expect(JSON.stringify(lines()).match(/…/gu)).toHaveLength(1);
});
