import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { cells, check } from "../../bench/hosts/cells.js";
import { startOn, withServers } from "../../bench/hosts/host-process.js";
import { followed } from "../../bench/server/contract/transfers.js";

const module = new URL("../../bench/hosts/host-process.js", import.meta.url);
const runs = (source: string): { readonly command: () => string[] } => ({
  command: () => [process.execPath, "-e", source],
});
/** Answers every request with an empty object. */
const wrong = `
  const { createServer } = require("node:http");
  createServer((_, response) => {
    response.setHeader("content-type", "application/json").end("{}");
  }).listen(0, "127.0.0.1", function () { console.log(this.address().port); });`;

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-host-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Lists the processes that run in a folder. */
function processesIn(folder: string): string[] {
  return readdirSync("/proc").filter((id) => {
    try {
      return readlinkSync(`/proc/${id}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}

const subject = {
  name: "Ours",
  paths: { GetPrice: "/GetPrice" },
  wrap: (value: unknown) => value,
  unwrap: (value: unknown) => value,
};
const [small] = cells;
const stream = cells.find(({ method }) => method === "Follow");

// The benchmark of hosts needs Linux.
const onLinux = it.skipIf(process.platform !== "linux");

onLinux("stops all servers if one gives a wrong answer", async () => {
  const folder = createFolder();
  const measure = ([, second]: readonly [
    unknown,
    { port: number },
  ]): Promise<void> => {
    expect(processesIn(folder)).toHaveLength(2);
    return check(subject, second, small);
  };
  const measured = withServers(runs(wrong), [folder, folder], measure);
  await expect(measured).rejects.toThrow(
    "Ours, small call: 200 application/json {}",
  );
  await expect.poll(() => processesIn(folder)).toEqual([]);
});

onLinux("stops a server that does not listen", async () => {
  const folder = createFolder();
  const started = startOn(runs("setInterval(() => {}, 1000)"), folder, 50);
  await expect(started).rejects.toThrow("does not listen");
  await expect.poll(() => processesIn(folder)).toEqual([]);
});

onLinux("stops servers when the benchmark is killed", async () => {
  const folder = createFolder();
  const source = `
    const { startOn } = await import(${JSON.stringify(module.href)});
    const command = () => [process.execPath, "-e", ${JSON.stringify(wrong)}];
    console.log((await startOn({ command }, ${JSON.stringify(folder)})).port);`;
  const words = ["--input-type=module", "-e", source];
  const parent = spawn(process.execPath, words, {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void parent.kill("SIGKILL"));
  await once(parent.stdout, "data");
  expect(processesIn(folder)).toHaveLength(1);
  parent.kill("SIGKILL");
  await expect.poll(() => processesIn(folder)).toEqual([]);
});

it.each([
  ["accepts all items", (lines: string[]) => lines, true],
  ["rejects a missing item", (lines: string[]) => lines.slice(1), false],
  ["rejects another line", (lines: string[]) => [...lines, "{}"], false],
  [
    "rejects another value",
    ([first = "", ...rest]: string[]) => [
      first.replace("Ship", "Boat"),
      ...rest,
    ],
    false,
  ],
])("%s of a stream", (_, change, isRight) => {
  const lines = followed.map((item: unknown) => JSON.stringify({ item }));
  const text = `${change(lines).join("\n")}\n`;
  expect(stream?.isRight({ opening: "" }, text)).toBe(isRight);
  expect(() => stream?.isRight({ opening: "" }, `\n${text}`)).toThrow();
});
