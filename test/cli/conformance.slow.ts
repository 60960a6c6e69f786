import { expect, onTestFinished, test, vi } from "vitest";
import { createSandbox } from "./support/sandbox.js";

const node = JSON.stringify(process.execPath);

/** A driver that returns the request of every call. */
const echo = `
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { request, url } = JSON.parse(line);
  await fetch(url + "/rpc/Echo/Bool", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(request) });
  console.log(JSON.stringify({ value: request }));
}
`;

test("runs cases with a client, and needs exceptions to be true", async () => {
  const { run, write } = createSandbox({ "driver.mjs": echo });
  const call = (name: string, ...flags: readonly string[]) =>
    run([
      ...["conformance", "client", `${node} driver.mjs`, "--all"],
      ...["--case", name, ...flags],
    ]);
  expect(await call("client basic: bool")).toEqual({
    exitCode: 0,
    stdout:
      "pass  client basic: bool 1\npass  client basic: bool 2\n2 passed, 0 failed, 0 exceptions\n",
    stderr: "",
  });
  const failed = await call("client basic: tree 2");
  expect(failed.exitCode).toBe(1);
  expect(failed.stdout).toBe(
    "FAIL  client basic: tree 2: sends /rpc/Echo/Bool instead of /rpc/Echo/Tree\n0 passed, 1 failed, 0 exceptions\n",
  );
  const names = ["client basic: tree 2", "client basic: bool 1", "no case"];
  const client = Object.fromEntries(names.map((name) => [name, "because"]));
  write({ "exceptions.json": JSON.stringify({ client }) });
  const excepted = await call(
    "client basic: tree 2",
    "--exceptions",
    "exceptions.json",
  );
  expect(excepted.stdout).toBe(
    "except  client basic: tree 2: because\nFAIL  there is no case `no case`\n0 passed, 0 failed, 1 exceptions\n",
  );
  expect(excepted.exitCode).toBe(1);
  const untrue = await call("bool 1", "--exceptions", "exceptions.json");
  expect(untrue.stdout).toContain(
    "FAIL  `client basic: bool 1` passes, so it is no exception\n",
  );
});

test("starts a driver again that has ended", async () => {
  const { run } = createSandbox({ "driver.mjs": "" });
  const { exitCode, stdout } = await run([
    ...["conformance", "client", `${node} driver.mjs`],
    ...["--case", "client basic: bool"],
  ]);
  expect(exitCode).toBe(1);
  expect(stdout).toBe(
    "FAIL  client basic: bool 1: the driver failed: it has ended\nFAIL  client basic: bool 2: the driver failed: it has ended\n0 passed, 2 failed, 0 exceptions\n",
  );
});

const server = `
import { createServer } from "node:http";
const server = createServer((request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  request.pipe(response);
});
server.listen(0, "127.0.0.1", () => console.log(JSON.stringify({ url: "http://127.0.0.1:" + server.address().port })));
process.stdin.resume().on("end", () => process.exit());
`;

test("runs cases with a server", async () => {
  const { run, write } = createSandbox({ "server.mjs": server });
  const call = (command: string) =>
    run(["conformance", "server", command, "--case", "basic: Bool"]);
  const { exitCode, stdout } = await call(`${node} server.mjs`);
  expect(stdout).toMatch(/passed, \d+ failed/u);
  expect(stdout).toContain("0 exceptions");
  expect([0, 1]).toContain(exitCode);
  for (const first of [
    "0",
    `console.log('listening')`,
    `console.log('{"url":"x"}')`,
  ]) {
    write({ "first.mjs": first });
    const silent = await call(`${node} first.mjs`);
    expect(silent.exitCode).toBe(2);
    expect(silent.stderr).toContain("wrote no address");
  }
});

test("waits only for some time for the address of a server", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let ask = (): void => {};
  const asked = new Promise<void>((resolve) => (ask = resolve));
  const read = (): Promise<null> => {
    ask();
    return new Promise(() => {});
  };
  const program = { write: () => {}, read, stop: async () => {} };
  const { run } = createSandbox();
  const running = run(["conformance", "server", "program"], {
    patch: () => ({ startProgram: () => program }),
  });
  await asked;
  await vi.advanceTimersByTimeAsync(300_000);
  const { exitCode, stderr } = await running;
  expect(exitCode).toBe(2);
  expect(stderr).toContain("within 5 minutes");
});

test("escapes characters that control a terminal", async () => {
  const hostile = `console.log('{"value":"\u001b[2J\u009b2J"}'); process.stdin.resume();`;
  const { run } = createSandbox({ "driver.mjs": hostile });
  const { stdout } = await run([
    ...["conformance", "client", `${node} driver.mjs`],
    ...["--case", "client basic: bool 1"],
  ]);
  expect(stdout).toContain("FAIL");
  expect(stdout).not.toMatch(/[\u001b\u009b]/u);
});

test("refuses other roles", async () => {
  const { run } = createSandbox();
  const { exitCode, stderr } = await run(["conformance", "proxy", "x"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("`proxy` is neither `client` nor `server`");
});
