import { expect, onTestFinished, test, vi } from "vitest";
import { signWebhooks } from "@ridlkit/runtime/sign-webhooks";
import { emitContract } from "../../generator/4-emit/emit.js";
import { compileContract } from "../../generator/compile.js";
import type { RpcServer } from "../../runtime/typescript/server/server.js";
import { targetsWith } from "../support/golden-cases.js";
import { importEmitted } from "../support/import-emitted.js";
import { exportedFunction } from "../support/run-emitted.js";
import { textOf } from "./program.js";

const page = "docs/guides/webhooks.md";
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** Runs the guide's receiver. Returns a function that delivers an event. */
async function startReceiver(handle: (id: string) => unknown) {
  vi.stubEnv("WEBHOOK_SECRET", secret).stubGlobal("handle", handle);
  onTestFinished(() => void vi.unstubAllEnvs().unstubAllGlobals());
  const { value } = compileContract(["payments.ridl"], {
    read: () => textOf(page, "schema/payments.ridl"),
  });
  const files = emitContract(
    value ?? expect.unreachable(),
    targetsWith({}),
    {
      ...{ int64: "number", timestamp: "string" },
      ...{ runtime: "import", importExtension: ".js" },
    },
    { runtimeSources: new Map() },
  );
  const text = textOf(page, "receiver.ts")
    .replace("deliveries += 1;", "return handle(payment.id);")
    .replace(/^createServer.+$/mu, "export { receiver };");
  const emitted = await importEmitted(
    [
      ...files.map((file) => ({ ...file, path: `generated/${file.path}` })),
      { path: "receiver.ts", text },
    ],
    ['export * from "/receiver.js";', 'export * from "/generated/client.js";'],
  );
  const receiver = emitted["receiver"] as RpcServer;
  const createSender = exportedFunction(emitted, "createPaymentEventsSender");
  return async (event: string): Promise<number> => {
    const sender = createSender({
      fetch: (url: string, init: RequestInit) =>
        receiver.fetch(new Request(url, init)),
      use: [signWebhooks(secret, { id: () => event })],
    });
    const payment = { id: event, cents: 1 };
    const { error } = await Object(sender).received.result(
      "http://shop.example",
      { payment },
    );
    return error?.status ?? 200;
  };
}

test("a repetition fails with the first delivery of the guide's receiver", async () => {
  let fail: (error: Error) => void = () => {};
  const broken = new Promise((_, reject) => (fail = reject));
  const handle = vi.fn<(id: string) => unknown>(() => {});
  const deliver = await startReceiver(handle);
  handle.mockImplementation((id) => (id === "evt_1" ? broken : undefined));
  const first = deliver("evt_1");
  await expect.poll(() => handle).toHaveBeenCalledWith("evt_1");
  const repeated = deliver("evt_1");
  // By now, the repetition has been received.
  expect(await deliver("evt_2")).toBe(200);
  fail(new Error("the database is starting"));
  expect([await first, await repeated]).toEqual([500, 500]);

  handle.mockReset();
  expect(await deliver("evt_1")).toBe(200);
  expect(await deliver("evt_1")).toBe(200);
  expect(handle).toHaveBeenCalledOnce();
});
