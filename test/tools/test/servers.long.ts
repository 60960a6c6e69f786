import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import {
  demoAccessKey,
  demoProjectId,
  demoSecret,
} from "../../../examples/platform/credentials.js";
import { serveExample } from "../../../examples/platform/serve.js";
import {
  makeDataFolder,
  spawnPlatform,
  waitUntilGone,
} from "../../../platform/test/load/spawned-platform.js";
import { createSandbox } from "../../cli/support/sandbox.js";
import { isSample } from "../../support/draw-some.js";

/**
 * What a test needs to know about a server that implements the platform's
 * contract.
 */
interface Known {
  readonly accessKey: string;
  readonly secret: string;
  readonly network: string;
  readonly values: Readonly<Record<string, string | number>>;
}

/** Tests all methods of a server, including those that write data. */
async function testPlatform(url: string, known: Known): Promise<void> {
  const values = Object.entries(known.values).flatMap(([name, value]) => [
    "--value",
    `${name}=${value}`,
  ]);
  const command = [
    ...["test", url, "--config", resolve("ridl.config.yaml"), "--writes"],
    ...["--seed", process.env["RIDLKIT_SEED"] ?? "1", "--max-time", "1000"],
    ...["--header", `X-Access-Key: ${known.accessKey}`],
    ...["--header", `Authorization: Bearer ${known.secret}`],
    ...["--parameter", `network=${known.network}`],
    ...values,
  ];
  const { exitCode, stdout } = await createSandbox().run(command);
  expect(stdout).toMatch(/, 0 failures, seed \d+\n$/u);
  expect(exitCode).toBe(0);
}

test.skipIf(isSample)(
  "the example follows its contract",
  async () => {
    const example = await serveExample(0, () => {});
    onTestFinished(() => example.close());
    await testPlatform(example.baseUrl, {
      accessKey: demoAccessKey,
      secret: demoSecret,
      network: "polygon",
      values: { projectId: demoProjectId, chainID: "polygon" },
    });
  },
  1_000_000,
);

test("the platform follows its contract", async () => {
  const folder = makeDataFolder();
  const settings: Record<string, unknown> = parse(
    readFileSync("platform/config.yaml", "utf8"),
  );
  const { hardhat } = Object(settings["networks"]);
  const many = { requestsPerSecond: 1e6, burst: 1e6 };
  const limits = { rateLimit: many, addressRateLimit: many };
  const path = join(folder, "config.yaml");
  const changed = { ...settings, ...limits, networks: { hardhat } };
  writeFileSync(path, JSON.stringify(changed));
  const platform = spawnPlatform(folder, { CONFIG: path, LOG_LEVEL: "warn" });
  onTestFinished(async () => {
    await platform.end("SIGTERM");
    await waitUntilGone(folder);
    rmSync(folder, { recursive: true });
  });
  const { accessKey, baseUrl, chainId, fixtures, network, projectId, secret } =
    await platform.ready;
  await testPlatform(baseUrl, {
    accessKey,
    secret,
    network,
    values: {
      projectId,
      chainId,
      chainID: network,
      network,
      audienceId: fixtures.audience ?? 1,
      contractAddress: fixtures.collectible,
      collectionAddress: fixtures.items,
      buyCurrencyAddress: fixtures.gold,
      sellCurrencyAddress: fixtures.dollar,
      userAddress: fixtures.user,
      tokenId: "1",
      tokenIDs: "1",
    },
  });
}, 1_000_000);
