import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { createNodeSystem } from "../../../cli/node/node-system.js";
import {
  exactOptions,
  loadGenerated,
} from "../../../cli/project/load-generated.js";
import { compileContract } from "../../../generator/compile.js";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import {
  idempotency,
  memoryAnswers,
} from "../../../runtime/typescript/server/idempotency.js";
import { createSandbox } from "../../cli/support/sandbox.js";
import { createShopServer } from "../../golden/fixtures/idempotency-keys/expected/server.js";
import { fixtures } from "../../support/golden-cases.js";
import { listenForTest } from "../../support/listen-for-test.js";

test("`ridl test` sends a key to methods with `@idempotencyKey`", async () => {
  const counts = { order: 0, addNote: 0 };
  const server = createShopServer({
    idempotency: idempotency(memoryAnswers()),
    handlers: {
      shop: {
        order: () => ({ orderId: `${(counts.order += 1)}` }),
        addNote: () => ({ noteId: (counts.addNote += 1) }),
        setNote: () => ({}),
        countOrders: () => ({ count: 1 }),
      },
    },
  });
  const { url } = await listenForTest(createServer(toNodeHandler(server)));
  const schema = readFileSync(`${fixtures}/idempotency-keys/schema.ridl`);
  const sandbox = createSandbox({
    "shop.ridl": schema.toString(),
    "ridl.config.yaml": "schema: [shop.ridl]\nemit: [types]\n",
  });
  const { exitCode, stderr, stdout } = await sandbox.run([
    "test",
    url,
    "--writes",
    "--runs",
    "10",
    "--seed",
    "1",
  ]);
  expect(stderr + stdout).toContain("0 failures");
  expect(exitCode).toBe(0);
  expect(counts.order).toBeGreaterThan(5);
  expect(counts.addNote).toBeGreaterThan(5);
});

const paid = `webrpc = v1
name = shop
version = v1.0.0

service Shop
  @auth:"X-Access-Key" @idempotencyKey
  - Pay(amount: uint32) => (paymentId: uint32)
`;

test("`ridl test` tests methods with a key and credentials", async () => {
  const { value } = compileContract(["shop.ridl"], { read: () => paid });
  const modules = await loadGenerated(
    value ?? expect.unreachable(),
    [{ name: "server" }],
    exactOptions({}),
    createNodeSystem(),
  );
  onTestFinished(modules.remove);
  const { createShopServer } = Object(await modules.load("server.js"));
  let paymentId = 0;
  const shop = createShopServer({
    caller: () => "anyone",
    handlers: { shop: { pay: () => ({ paymentId: (paymentId += 1) }) } },
    idempotency: idempotency(memoryAnswers()),
    verifyXAccessKey: (key: string) => key === "secret",
  });
  const { url } = await listenForTest(createServer(toNodeHandler(shop)));
  const sandbox = createSandbox({
    "shop.ridl": paid,
    "ridl.config.yaml": "schema: [shop.ridl]\n",
  });
  const { exitCode, stderr, stdout } = await sandbox.run([
    ...["test", url, "--writes", "--runs", "10", "--seed", "1"],
    ...["--header", "X-Access-Key: secret"],
  ]);
  expect(stderr + stdout).toContain("0 failures");
  expect(exitCode).toBe(0);
  expect(paymentId).toBeGreaterThan(5);
});
