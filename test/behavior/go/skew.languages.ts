import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommand } from "../run-command.js";
import { expectSkewAnswer, sendSkewCall, serverPair } from "../serve-skew.js";
import { skewCalls } from "../skew-calls.js";
import { writeSet } from "../write-set.js";

const work = mkdtempSync(join(tmpdir(), "ridlkit-go-skew-"));
const module = join(work, "go");
const stops: (() => unknown)[] = [];
const log: string[] = [];
let url = "";

beforeAll(async () => {
  const { current, currentSkew } = serverPair;
  writeSet("go", current, work, "example.com/shop", currentSkew);
  const program = join(module, "cmd", "server");
  mkdirSync(program, { recursive: true });
  cpSync(join(import.meta.dirname, "skew_server.go"), join(program, "main.go"));
  expect(await runCommand("gofmt", ["-l", "."], module)).toBe("");
  expect(await runCommand("go", ["vet", "./..."], module)).toBe("");
  const args = ["build", "-race", "-o", "server.exe", "./cmd/server"];
  await runCommand("go", args, module);
  const server = spawn(join(module, "server.exe"), {
    stdio: ["ignore", "pipe", "pipe"],
  });
  server.stderr.on("data", (data: Buffer) => log.push(data.toString()));
  stops.push(async () => {
    const ended = once(server, "close");
    server.kill();
    await ended;
  });
  const [port] = (await once(server.stdout, "data")) as [Buffer];
  url = `http://127.0.0.1:${port.toString().trim()}`;
});
afterAll(async () => {
  for (const stop of stops) await stop();
  rmSync(work, { recursive: true, force: true });
});

it.each(skewCalls)("a server in Go $name", (call) =>
  expectSkewAnswer(url, call, ", which may be the reason"),
);

it("tells handlers the version of the client", async () => {
  const call = { path: "/rpc/Shop/Same", body: '{"id":1}' };
  for (const contract of [undefined, "same", "unknown", "none"] as const)
    await sendSkewCall(url, { ...call, ...(contract && { contract }) });
  await expect
    .poll(() => log.join(""))
    .toBe("version: v1.3.0\nversion: v1.4.0\nversion: unknown\nversion: \n");
});
