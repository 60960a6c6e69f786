import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { createNetworks } from "../../network/networks.js";
import { readSettings, SettingsError } from "../../settings/read-settings.js";

/** Writes settings. Output: the environment that names them. */
function write(text: string): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "config.yaml");
  writeFileSync(path, text);
  return { CONFIG: path };
}

test("config.yaml names all networks, each once", () => {
  const { embeddedChain, networks } = readSettings({});
  expect(networks).toHaveLength(40);
  expect(new Set(networks.map(({ chainId }) => chainId)).size).toBe(40);
  expect(embeddedChain).toBe("hardhat");
});

test("networks are found by handle and by chain id", () => {
  const { networks } = readSettings({});
  const found = createNetworks(networks, () => expect.unreachable());
  expect(found.find("xai-sepolia")?.chainId).toBe(37714555429);
  expect(found.find("37714555429")?.handle).toBe("xai-sepolia");
  expect(found.find("Polygon")?.nativeSymbol).toBe("POL");
  for (const name of ["", "nowhere", "0137", "1e3", "toString"]) {
    expect(found.find(name)).toBeNull();
  }
});

test("the environment has the last word", () => {
  const environment = {
    PORT: "0",
    DATABASE_URL: "postgres://db",
    LOG_LEVEL: "warn",
    HOST: "",
    ALLOW_PRIVATE_TARGETS: "true",
  };
  expect(readSettings(environment)).toMatchObject({
    port: 0,
    databaseUrl: "postgres://db",
    logLevel: "warn",
    host: "127.0.0.1",
    allowPrivateTargets: true,
  });
});

test("a network follows orders as config.yaml shows it", () => {
  const text = readFileSync("platform/config.yaml", "utf8");
  const shown = [...text.matchAll(/^# {3}(.*)$/gmu)].map(([, line]) => line);
  const lines = ["  mainnet:", ...shown.map((line) => `    ${line}`), ""];
  const environment = write(text.replace("  mainnet:\n", lines.join("\n")));
  const marketplaceOf = (name: string) =>
    readSettings(environment).networks.find(({ handle }) => handle === name)
      ?.marketplace;
  expect(marketplaceOf("mainnet")).toEqual({
    seaport: "0x0000000000000068f116a894984e2db1123eb395",
    startBlock: 20_000_000,
    dollar: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
    nftCheckout: ["sardine"],
    onRamp: ["transak"],
  });
  expect(marketplaceOf("polygon")).toBeNull();
});

test("what does not fit is said, all at once, and secrets are not", () => {
  const environment = write(`
host: 127.0.0.1
port: 70000
metricsHost: 127.0.0.1
metricsPort: 0
demo: true
dataFolder: .platform
logLevel: loud
rateLimit: { requestsPerSecond: 0, burst: 1, brust: 2 }
addressRateLimit: { requestsPerSecond: 1, burst: 1 }
defaultNetwork: hardhat
networks: {}
`);
  let message = "";
  try {
    readSettings({ ...environment, PLATFORM_SECRET: "very secret" });
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    message = String(error);
  }
  expect(message).toContain("port: expected an integer from 0 to 65535");
  expect(message).toContain("logLevel: expected debug, info");
  expect(message).toContain("rateLimit.requestsPerSecond: expected");
  expect(message).toContain("rateLimit.brust: expected no such setting");
  expect(message).toContain("defaultNetwork: expected one of the networks");
  expect(message).not.toContain("very secret");
});

test.each([["not there"], ["not YAML"]])(
  "a file that is %s is said",
  (kind) => {
    const environment =
      kind === "not YAML" ? write("a: [") : { CONFIG: "/nowhere/config.yaml" };
    expect(() => readSettings(environment)).toThrow(SettingsError);
  },
);
