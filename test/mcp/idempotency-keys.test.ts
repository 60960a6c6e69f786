import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { listenForTest } from "../support/listen-for-test.js";
import { startMcp } from "./start-mcp.js";

const bank = `webrpc = v1
name = bank
version = v1.0.0

error 1409 NoFunds "not enough money" HTTP 409

service Bank
  @idempotencyKey
  - Transfer(cents: uint32) => (id: uint32) errors NoFunds
  @idempotencyKey:optional
  - Note(idempotencyKey: string) => ()
  - Count() => (count: uint32)
`;

/** A request that the bank has received. */
interface Received {
  readonly key: string | undefined;
  readonly body: unknown;
}

/** Serves a bank, whose connection breaks if there is no answer. */
async function serveBank(
  answers: readonly (readonly [number, string] | null)[],
) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const key = request.headers["idempotency-key"];
    const body: unknown = JSON.parse(await text(request));
    received.push({ key: key === undefined ? key : String(key), body });
    const answer = answers[received.length - 1] ?? null;
    if (answer === null) {
      response.destroy();
      return;
    }
    const [status, json] = answer;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(json);
  });
  return { received, ...(await listenForTest(server)) };
}

it("repeats a call without an answer with the key that its result names", async () => {
  const { received, url } = await serveBank([
    null,
    [200, '{"id":"broken"}'],
    [200, '{"id":7}'],
  ]);
  const { client, end } = await startMcp(bank, url);
  const lost = await client.call("Bank_Transfer", { cents: 5 });
  expect(lost).toMatchObject({
    isError: true,
    text: { error: "WebrpcRequestFailed" },
  });
  const [note = ""] = lost.notes;
  const { repeatWith } = JSON.parse(note);
  const args = { cents: 5, ...repeatWith };
  const broken = await client.call("Bank_Transfer", args);
  expect(broken).toMatchObject({ isError: true, notes: [note] });
  const repeated = await client.call("Bank_Transfer", args);
  expect(repeated).toMatchObject({ text: { id: 7 }, notes: [] });
  const sent = {
    key: JSON.stringify(repeatWith.idempotencyKey),
    body: { cents: 5 },
  };
  expect(received).toEqual([sent, sent, sent]);
  await end();
});

it("sends keys of agents, under names that no field has", async () => {
  const { received, url } = await serveBank([
    [409, '{"error":"NoFunds","code":1409,"msg":"none","status":409}'],
    [200, "{}"],
    null,
  ]);
  const { client, end } = await startMcp(bank, url);
  const schemas = (await client.list()).map(({ inputSchema }) =>
    Object.keys(Object(inputSchema).properties ?? {}),
  );
  expect(schemas.slice(0, 3)).toEqual([
    ["cents", "idempotencyKey"],
    ["idempotencyKey", "idempotencyKey2"],
    [],
  ]);
  const declared = await client.call("Bank_Transfer", {
    ...{ cents: 5, idempotencyKey: 'row "7"' },
  });
  expect(declared).toMatchObject({ text: { error: "NoFunds" }, notes: [] });
  await client.call("Bank_Note", {
    ...{ idempotencyKey: "a", idempotencyKey2: "row 8" },
  });
  expect(await client.call("Bank_Count")).toMatchObject({ notes: [] });
  expect(received).toEqual([
    { key: '"row \\"7\\""', body: { cents: 5 } },
    { key: '"row 8"', body: { idempotencyKey: "a" } },
    { key: undefined, body: {} },
  ]);
  await end();
});

it.each(["", "é", 7, "a".repeat(256)])(
  "rejects the key %j",
  async (idempotencyKey) => {
    const { received, url } = await serveBank([]);
    const { client, end } = await startMcp(bank, url);
    const args = { cents: 5, idempotencyKey };
    expect(await client.call("Bank_Transfer", args)).toMatchObject({
      isError: true,
      text: {
        error: "WebrpcBadRequest",
        cause: "idempotencyKey: expected 1 to 255 ASCII characters",
      },
      notes: [],
    });
    expect(received).toEqual([]);
    await end();
  },
);
