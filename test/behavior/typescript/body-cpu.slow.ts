import { describe, expect, it } from "vitest";
import { FetchRequest } from "../../../runtime/typescript/server/fetch-request.js";
import { limitsOf } from "../../../runtime/typescript/server/model/limits.js";
import { readBodyFile } from "../../../runtime/typescript/server/requests/body-file.js";
import {
  readMessageParts,
  readFormPairs,
} from "../../../runtime/typescript/server/requests/form-message.js";
import { readPairs } from "../../../runtime/typescript/server/requests/query.js";
import {
  readExactJson,
  readPlainJson,
} from "../../../runtime/typescript/wire/read-json.js";
import { createStockWebhookReceiver } from "../../golden/fixtures/platform/expected/stock/server.js";
import { cpuOf, encode, fill, mebibyte, order, streamOf } from "./cpu-of.js";

const limits = limitsOf({ maxUploadBytes: 64 * mebibyte }, {});

/** Returns a request whose body arrives in chunks. */
function requestOf(
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  chunkBytes = 65_536,
): FetchRequest {
  const body = streamOf(bytes, chunkBytes);
  const headers = { "content-type": type };
  const init = { method: "POST", headers, body, duplex: "half" } as const;
  return new FetchRequest(new Request("http://host/", init), null, null);
}

/** The CPU time for a body of orders. */
function cpuOfOrders(length = mebibyte, chunkBytes?: number): Promise<number> {
  const bytes = encode(fill(`${order},`, "[", `${order}]`, length));
  return cpuOf(bytes.length, async () => {
    const request = requestOf(bytes, "application/json", chunkBytes);
    const whole = { ...limits.body, maxBytes: 2 * mebibyte };
    readPlainJson(await request.text(whole), 100);
  });
}

const long = "b".repeat(69);
const part = (head: string): string =>
  `\r\n--b\r\nContent-Disposition: form-data; name="a"${head}\r\n\r\n`;
const head = (piece: string): string => part(fill(piece, "", "", 16_000));

/** Bodies that resemble forms, with their boundaries. */
const forms: Readonly<Record<string, readonly [text: string, end?: string]>> = {
  "carriage returns": ["\r"],
  "line breaks": ["\r\n"],
  "carriage returns between letters": ["\rx"],
  "distant carriage returns": [`\r${"x".repeat(32)}`],
  "starts of delimiters": ["\r\n--"],
  "almost delimiters": [`\r\n--${long}x`, `${long}b`],
  "unfinished delimiters": [`\r\n--${long}`, `${long}b`],
  letters: ["x"],
  "many lines in heads": [head("\r\na:b")],
  "many parameters in heads": [head(";a=b")],
  "many quotes in heads": [head(';a="')],
  "many escapes in heads": [head(';a="\\"')],
  "spaces in heads": [head(" ")],
  "semicolons and spaces in heads": [head(" ;")],
  "unfinished parameters in heads": [head(";a=")],
  "escaped names in heads": [head(";filename*=utf-8''%41")],
};

const read = {
  "an upload": (request: FetchRequest) =>
    readMessageParts(request, { files: ["a"], fileLists: ["b"] }, limits),
  "a form": (request: FetchRequest) =>
    readFormPairs(request, { fileLists: ["a"] }, limits, () => true),
};

describe.each(Object.entries(read))("reading %s", (_, reader) => {
  it.each(Object.entries(forms))(
    "takes at most three times as long as orders for %s",
    async (_, [text, boundary = "b"]) => {
      const bytes = encode(fill(text, "", "", 8 * mebibyte));
      const type = `multipart/form-data; boundary=${boundary}`;
      const run = () => reader(requestOf(bytes, type)).catch(() => {});
      const orders = await cpuOfOrders();
      expect(await cpuOf(bytes.length, run)).toBeLessThan(3 * orders);
    },
  );

  it("takes at most three times as long as orders in single bytes", async () => {
    const bytes = encode(fill("\r\na:b", part(""), "", 100_000));
    const type = "multipart/form-data; boundary=b";
    const run = () => reader(requestOf(bytes, type, 1)).catch(() => {});
    const orders = await cpuOfOrders(100_000, 1);
    expect(await cpuOf(bytes.length, run)).toBeLessThan(3 * orders);
  });
});

it("takes at most three times as long as orders for a file", async () => {
  const bytes = encode(fill("\r", "", "", 8 * mebibyte));
  const run = async () => {
    const file = await readBodyFile(requestOf(bytes, "a/b"), limits);
    for await (const chunk of file?.stream() ?? []) void chunk;
  };
  expect(await cpuOf(bytes.length, run)).toBeLessThan(
    3 * (await cpuOfOrders()),
  );
});

it("takes at most twice as long as orders for a webhook with many signatures", async () => {
  const ignored = { shelfEmpty: () => {}, shelfFull: () => {} };
  const receiver = createStockWebhookReceiver({
    handlers: { stockWebhook: ignored },
    secrets: ["a", "b", "c"].map((letter) => letter.repeat(32)),
    maxBodyBytes: 2 * mebibyte,
  });
  const body = fill("\r");
  const headers = {
    "content-type": "application/json",
    "webhook-event": "ShelfFull",
    "webhook-id": "1",
    "webhook-signature": fill(`v1,${"A".repeat(43)}= `, "", "", 400),
  };
  const run = async () => {
    const time = { "webhook-timestamp": `${Math.floor(Date.now() / 1000)}` };
    const init = { method: "POST", body, headers: { ...headers, ...time } };
    const answer = await receiver.fetch(new Request("http://host/", init));
    expect(answer.status).toBe(401);
  };
  expect(await cpuOf(mebibyte, run)).toBeLessThan(2 * (await cpuOfOrders()));
});

const keys = fill(
  Array.from({ length: 80_000 }, (_, index) => `"k${index}":1`).join(","),
  "{",
  "}",
  1,
);
const big = "12345678901234567890";

/** JSON, most of which is invalid at its end or has a long integer. */
const json: Readonly<Record<string, string>> = {
  "many keys": keys,
  "many keys and a fault": keys.replace("}", ",}"),
  numbers: fill("1,", "[", "]"),
  "numbers beside a long integer": fill("1,", `[${big},`, "1]"),
  "long integers": fill(`${big},`, "[", "1]"),
  digits: fill("1", "[", "]"),
  "integers of a thousand digits": fill(`${"1".repeat(999)},`, "[", "1]"),
  escapes: fill("\\n", '["', '"x]'),
  "escaped units": fill("\\u0041", '["', '"x]'),
  backslashes: fill('\\"', `["${"[".repeat(200)}`, '"]'),
  "empty objects": fill("{},", `[${big},`, "1]"),
  "empty lists": fill("[],", "[", "]"),
  spaces: fill(" 1,", "[", "]"),
  "empty strings": fill('"",', "[", "]"),
};

/** Forms and queries. */
const pairs: Readonly<Record<string, string>> = {
  ampersands: fill("&"),
  pluses: fill("+"),
  "percent signs": fill("%"),
  "percent signs between letters": fill("%x"),
  "pluses and percent signs": fill("+%"),
  "many pairs of pluses": fill(`${"+".repeat(1024)}&`),
  "escaped bytes": fill("%ff"),
  "escaped letters": fill("%41"),
  pairs: fill("a=1&"),
};

const texts: readonly (readonly [name: string, text: string, run: Run])[] = [
  ...Object.entries(json).flatMap(([name, text]): [string, string, Run][] => [
    [`JSON with ${name}`, text, (given) => readPlainJson(given, 100)],
    [`exact JSON with ${name}`, text, (given) => readExactJson(given, 100)],
  ]),
  ...Object.entries(pairs).map(([name, text]): [string, string, Run] => [
    `pairs with ${name}`,
    text,
    (given) => readPairs("body", given),
  ]),
];

type Run = (text: string) => unknown;

it.each(texts)(
  "takes at most three times as long as the engine's worst JSON for %s",
  async (_, text, run) => {
    const engine = await cpuOf(keys.length, () => JSON.parse(keys));
    const own = await cpuOf(text.length, () => run(text));
    expect(own).toBeLessThan(3 * engine);
  },
);
