import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ChildServer } from "./malformed/child-server.js";
import { findFault } from "./malformed/find-fault.js";
import { parseRows, type Row } from "./malformed/row.js";
import { printReport, runRows, type SendRow } from "./malformed/run-rows.js";
import { sendRow } from "./malformed/send.js";
import { forms, serveMalformed } from "./malformed/serve.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Creates a row as it appears in a file. `path` is the location of the fault in
 * the expected response.
 */
function row(uri: string, body: string, path?: string): Row {
  return {
    file: `own/${uri.slice(1).toLowerCase()}.txt`,
    id: `Own${uri}`,
    request: { uri, body, headers: { "content-type": "application/json" } },
    response: {
      code: 400,
      ...(path !== undefined && {
        body: {
          assertion: { contents: `{"fieldList":[{"path": "${path}"}]}` },
        },
      }),
    },
  };
}

/** Our own malformed requests, for almost every method. */
const refused: readonly Row[] = [
  row("/MalformedBlob", '{"blob":"Zm9="}'),
  row("/MalformedBlob", '{"blob":Zm9v}'),
  row("/MalformedBoolean/true", '{"booleanInBody":"nope"}'),
  row("/MalformedByte/1", '{"byteInBody":128}'),
  row("/MalformedShort/1", '{"shortInBody":-32769}'),
  row("/MalformedInteger/1", '{"integerInBody":2147483648}'),
  row("/MalformedLong/1", '{"longInBody":9223372036854775808}'),
  row("/MalformedFloat/1", '{"floatInBody":"1"}'),
  row("/MalformedDouble/1", '{"doubleInBody":1e999}'),
  row("/MalformedList", '{"bodyList":[null]}'),
  row("/MalformedMap", '{"bodyMap":{"a":null}}'),
  row("/MalformedRequestBody", "[]"),
  row("/MalformedRequestBody", '{"int":1}}'),
  row(
    "/MalformedTimestampBodyDateTime",
    '{"timestamp":"2024-02-30T00:00:00Z"}',
  ),
  row("/MalformedUnion", '{"union":[]}'),
  row("/MalformedEnum", '{"list":["abc","Abc"]}', "/list/1"),
  row("/MalformedEnum", '{"map":{"abc":"ghi"}}', "/map/abc"),
  row("/MalformedLength", '{"blob":"Zg=="}', "/blob"),
  row("/MalformedLength", '{"string":"🎉"}', "/string"),
  row("/MalformedLength", '{"list":["ok","x"]}', "/list/1"),
  row("/MalformedLengthOverride", '{"blob":"Zm9v"}', "/blob"),
  row("/MalformedLengthOverride", '{"map":{}}', "/map"),
  row(
    "/MalformedPattern",
    `{"evilString":"${"1".repeat(50)}x"}`,
    "/evilString",
  ),
  row("/MalformedPatternOverride", '{"union":{"second":"a"}}', "/union/second"),
  row("/MalformedRange", '{"float":2.19}', "/float"),
  row("/MalformedRangeOverride", '{"maxLong":7}', "/maxLong"),
  row("/MalformedRequired", "{}", "/string"),
  row("/MalformedUniqueItems", '{"blobList":["","Zg==",""]}', "/blobList"),
  row("/MalformedUniqueItems", '{"listList":[[],["a"],["a"]]}', "/listList"),
  row(
    "/RecursiveStructures",
    '{"union":{"union":{"string":"x"}}}',
    "/union/union/string",
  ),
  row("/SensitiveValidation", '{"string":"UNSPEAKABLE"}', "/string"),
];

describe("malformed requests", () => {
  const servers: { port: number; close: () => void }[] = [];
  const senders: SendRow[] = [];
  beforeAll(async () => {
    for (const form of forms) {
      const server = await serveMalformed(root, form);
      servers.push(server);
      senders.push((method, sent) => sendRow(server.port, method, sent));
    }
  });
  afterAll(() => servers.forEach(({ close }) => close()));

  it("are all rejected with the expected response", async () => {
    const report = await runRows(refused, senders);
    expect(report.failures).toEqual([]);
    expect(report.passed).toBe(refused.length);
  });

  it("are reported as failures if the server accepts them", async () => {
    const valid = [
      row("/MalformedBoolean/true", '{"booleanInBody":true}'),
      row("/MalformedRange", '{"float":2.2}', "/float"),
    ];
    const report = await runRows(valid, senders);
    expect([report.passed, report.failed]).toEqual([0, 2]);
    expect(report.failures[0]).toBe(
      "Own/MalformedBoolean/true: answered 200 {}",
    );
    expect(printReport(report)).toMatch(/\n0 passed, 2 failed, 0 skipped$/u);
  });

  it("are skipped with a reason if the contract has no comparable method", async () => {
    const report = await runRows([row("/Unheard", "{}")], senders);
    expect([report.passed, report.failed, report.skipped]).toEqual([0, 0, 1]);
    expect([...report.reasons.keys()]).toEqual([
      "the contract has no method like /Unheard",
    ]);
  });
});

describe("a response to a malformed request", () => {
  const given = row("/MalformedEnum", '{"list":["x"]}', "/list/0");
  const envelope = {
    error: "InvalidArgument",
    code: 2000,
    msg: "Invalid argument",
    status: 400,
    cause: "list[0]: expected one of",
  };
  const answer = (change: object, status = 400) => ({
    status,
    text: JSON.stringify({ ...envelope, ...change }),
  });

  it("passes if it contains the location of the fault", () => {
    expect(findFault(given, answer({}))).toBeNull();
  });

  it.each([
    ["no response", null],
    ["200", answer({ status: 200 }, 200)],
    ["500", answer({ status: 500 }, 500)],
    ["text that is not JSON", { status: 400, text: "bad" }],
    ["no envelope", { status: 400, text: "{}" }],
    ["more than an envelope", answer({ stack: "at" })],
    ["a different status in the envelope", answer({ status: 422 })],
    ["a wrong location", answer({ cause: "list[1]: expected" })],
    ["no location", answer({ cause: "something is wrong" })],
    ["no cause", answer({ cause: undefined })],
  ])("fails with %s", (_, got) => {
    expect(findFault(given, got)).toEqual(expect.any(String));
  });

  it("fails if it repeats sensitive values", () => {
    const secret = row("/SensitiveValidation", '{"string":"XYZ"}', "/string");
    const told = answer({ cause: 'string: expected a name, got "XYZ"' });
    expect(findFault(secret, told)).toMatch(/sensitive/u);
  });
});

describe("a server in its own process", () => {
  const program = `
    import { createServer } from "node:http";
    const server = createServer((request, response) => {
      if (request.url.endsWith("Hang")) for (;;);
      if (request.url.endsWith("Die")) process.exit(1);
      response.end(String(process.pid));
    });
    server.listen(0, "127.0.0.1", () => process.send(server.address().port));
  `;

  it("is restarted if it hangs or crashes", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ridlkit-malformed-"));
    const path = join(folder, "server.mjs");
    writeFileSync(path, program);
    const server = new ChildServer(path, [], 500);
    const ask = (method: string) => server.send(method, row("/", "{}"));
    const first = await ask("Live");
    expect(await ask("Live")).toEqual(first);
    expect(await ask("Hang")).toBeNull();
    const second = await ask("Live");
    expect(await ask("Die")).toBeNull();
    const third = await ask("Live");
    server.close();
    rmSync(folder, { recursive: true });
    const pids = [first, second, third].map((answer) => answer?.text);
    expect(new Set(pids).size).toBe(3);
    expect(findFault(row("/", "{}"), null)).toMatch(/^no response/u);
  });
});

describe("a file of malformed requests", () => {
  it("is a list of rows", () => {
    expect(parseRows(JSON.stringify(refused))).toEqual(refused);
  });

  it.each(["{}", "[1]", '[{"file":"a","id":"b"}]', "invalid JSON"])(
    "is not %s",
    (text) => expect(() => parseRows(text)).toThrow(),
  );
});
