import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../support/listen.js";
import { createSandbox } from "./support/sandbox.js";
import { schema, startMock } from "./support/start-mock.js";

test("ridl mock returns the same data for the same seed", async () => {
  const answers: string[] = [];
  for (const seed of ["1", "1", "2"]) {
    const { call, stop } = await startMock(["--seed", seed]);
    const answer = await call("rpc/Shop/GetOrder", { id: 1 }, { "x-key": "a" });
    answers.push(await answer.text());
    await stop();
  }
  expect(answers[1]).toBe(answers[0]);
  expect(answers[2]).not.toBe(answers[0]);
});

test("ridl mock reports that a port is in use", async () => {
  const taken = await listen(createServer());
  onTestFinished(taken.close);
  const sandbox = createSandbox({ "shop.ridl": schema });
  const port = String(taken.port);
  const result = await sandbox.run(["mock", "shop.ridl", "--port", port]);
  expect(result).toMatchObject({ exitCode: 2 });
  expect(result.stderr).toContain(`port ${port} on 127.0.0.1 is in use`);
});

test("ridl mock reports an address that it cannot listen on", async () => {
  const sandbox = createSandbox({ "shop.ridl": schema });
  const args = ["mock", "shop.ridl", "--port", "0", "--host", "203.0.113.7"];
  const { exitCode, stderr } = await sandbox.run(args);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("cannot listen on port 0 on 203.0.113.7: EADDR");
});

test("ridl mock returns errors and delays responses as requested", async () => {
  const args = ["--error-rate", "1", "--latency", "30-40"];
  const { call } = await startMock(args);
  const before = performance.now();
  const failed = await call("rpc/Shop/Ping");
  expect(performance.now() - before).toBeGreaterThan(28);
  expect(await failed.json()).toMatchObject({ error: "OrderNotFound" });
});
