import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, onTestFinished, test } from "vitest";

import { openDatabase } from "../../database/pool.js";
import { createDatabase, silent } from "../support/test-database.js";
import { openBuilder, openRelayer } from "./open-clients.js";
import {
  createDataFolder,
  type PlatformProcess,
  programsOf,
  startProcess,
} from "./start-platform.js";

const timeoutMs = 120_000;

async function statusOf(url: string): Promise<string> {
  const response = await fetch(url);
  return `${response.status} ${await response.text()}`;
}

/**
 * Makes the calls in the printed examples for Node and for web pages. Output:
 * their results.
 */
async function runPrinted({ output, ready }: PlatformProcess) {
  const find = (pattern: RegExp): string => pattern.exec(output())?.[1] ?? "";
  const program = find(/^( {2}import [^]*?)^\n/mu);
  const node = promisify(execFile)(process.execPath, [
    ...["--input-type=module", "--eval", program],
  ]);
  const page = find(
    /^ {2}await \(await fetch(\([^]*?^ {2}\}\))\)\.json\(\)$/mu,
  );
  const [path = "", options = ""] = page.slice(1, -1).split(/,(.*)/su);
  const run: unknown = new Function(
    "fetch",
    `return fetch(${path},${options})`,
  );
  const response: unknown = await Reflect.apply(Object(run), null, [
    (target: string, init: RequestInit) => fetch(ready.baseUrl + target, init),
  ]);
  if (!(response instanceof Response)) throw new Error(page);
  return [(await node).stdout, await response.json()];
}

test(
  "starts, stops, and restores its state",
  { timeout: timeoutMs },
  async () => {
    const folder = createDataFolder();
    const first = await startProcess(folder);
    const { baseUrl, projectId, fixtures } = first.ready;
    expect(await statusOf(`${baseUrl}/healthz`)).toBe('200 {"status":"alive"}');
    expect(await statusOf(`${baseUrl}/readyz`)).toBe('200 {"status":"ready"}');
    const explorer = await statusOf(`${baseUrl}/`);
    expect(explorer).toMatch(/^200 <!doctype html>[^]*"AddGasSponsor"/u);
    expect(explorer).toMatch(/id="values">.*"contractAddress":"0x\w{40}"/u);
    for (const key of [first.ready.accessKey, first.ready.secret]) {
      expect(explorer).not.toContain(key);
    }
    const place = { projectId, audienceId: fixtures.audience ?? 0 };
    const builder = openBuilder(first.ready);
    await builder.removeAudienceContacts({ ...place, contactIds: [1n, 2n] });
    const address = "0x0123456789abcdef0123456789abcdef01234567";
    const { gasSponsor } = await openRelayer(first.ready).addGasSponsor({
      projectId,
      address,
    });
    // Metrics are not public.
    expect(await statusOf(`${baseUrl}/metrics`)).toMatch(/^404 /u);
    const metrics = await statusOf(first.ready.metricsUrl);
    expect(metrics).toMatch(/rpc_requests_total\{.*AddGasSponsor.*\} 1\n/u);
    expect(await runPrinted(first)).toEqual([
      "{ isValid: false }\n",
      expect.objectContaining({
        contractInfo: expect.objectContaining({ symbol: "FGLD" }),
      }),
    ]);
    expect(programsOf(folder).length).toBeGreaterThan(0);
    expect(await first.end("SIGINT")).toBe(0);
    expect(programsOf(folder)).toEqual([]);
    const { accessKey, secret } = first.ready;
    // Keys are shown once, and logs contain none.
    const logs = first
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{"));
    expect(logs.length).toBeGreaterThan(0);
    for (const key of [accessKey, secret])
      expect(logs.join()).not.toContain(key);

    const second = await startProcess(folder);
    expect(second.ready).toMatchObject({
      projectId,
      accessKey,
      secret,
      fixtures,
    });
    const { audiences } = await openBuilder(second.ready).listAudiences({
      projectId,
    });
    expect(audiences).toMatchObject([{ contactCount: 2 }]);
    const again = await openRelayer(second.ready).addGasSponsor({
      projectId,
      address,
    });
    expect(again.gasSponsor.id).toBe(gasSponsor.id);
    expect(await second.end("SIGTERM")).toBe(0);
    expect(programsOf(folder)).toEqual([]);
  },
);

test(
  "creates no keys and fills no tank without an embedded chain",
  { timeout: timeoutMs },
  async () => {
    const folder = createDataFolder();
    const text = readFileSync("platform/config.yaml", "utf8")
      .replace("embeddedChain: hardhat", "embeddedChain: null")
      .replace("defaultNetwork: hardhat", "defaultNetwork: polygon");
    const config = join(folder, "config.yaml");
    writeFileSync(config, text);
    const url = await createDatabase();
    const { ready, output, end } = await startProcess(folder, {
      CONFIG: config,
      DATABASE_URL: url,
    });
    expect(ready).not.toHaveProperty("accessKey");
    expect(output()).not.toMatch(/ (?:secret|access key) /u);
    expect(output()).toContain('"msg":"there is no demo project,');
    const { database } = openDatabase(url, silent);
    onTestFinished(() => database.destroy());
    for (const table of ["projects", "gas_tanks"] as const) {
      const rows = await database.selectFrom(table).selectAll().execute();
      expect(rows).toEqual([]);
    }
    expect(await end("SIGTERM")).toBe(0);
    const { adminUrl, baseUrl, metricsUrl } = ready;
    const messages = output()
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line): unknown => JSON.parse(line));
    expect(messages).toContainEqual(
      expect.objectContaining({
        ...{ adminUrl, baseUrl, msg: "started" },
        metricsUrl: metricsUrl.replace("/metrics", ""),
        metricsPath: "/metrics",
      }),
    );
    expect(messages.slice(-2)).toMatchObject([
      { msg: "stopping" },
      { msg: "stopped" },
    ]);
  },
);
