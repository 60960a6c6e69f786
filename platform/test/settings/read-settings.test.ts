import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { createNetworks } from "../../network/networks.js";
import { readSettings } from "../../settings/read-settings.js";
import { SettingsError } from "../../settings/settings-file.js";

/** Writes settings. Output: the environment variable that names the file. */
function write(text: string): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "config.yaml");
  writeFileSync(path, text);
  return { CONFIG: path };
}

test("config.yaml lists all networks, each once", () => {
  const { embeddedChain, networks } = readSettings({});
  expect(networks).toHaveLength(40);
  expect(new Set(networks.map(({ chainId }) => chainId)).size).toBe(40);
  expect(embeddedChain).toBe("hardhat");
});

test("finds networks by handle and by chain ID", () => {
  const { networks } = readSettings({});
  const found = createNetworks(networks, () => expect.unreachable());
  expect(found.find("xai-sepolia")?.chainId).toBe(37714555429);
  expect(found.find("37714555429")?.handle).toBe("xai-sepolia");
  expect(found.find("Polygon")?.nativeSymbol).toBe("POL");
  for (const name of ["", "nowhere", "0137", "1e3", "toString"]) {
    expect(found.find(name)).toBeNull();
  }
});

test("the environment overrides the file", () => {
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

test("configures a network as shown in config.yaml", () => {
  const text = readFileSync("platform/config.yaml", "utf8");
  const shown = [...text.matchAll(/^# {3}(.*)$/gmu)].map(([, line]) => line);
  const lines = ["  mainnet:", ...shown.map((line) => `    ${line}`), ""];
  const environment = write(text.replace("  mainnet:\n", lines.join("\n")));
  const settingsOf = (name: string) =>
    readSettings(environment).networks.find(({ handle }) => handle === name);
  expect(settingsOf("mainnet")).toMatchObject({
    marketplace: {
      seaport: "0x0000000000000068f116a894984e2db1123eb395",
      startBlock: 20_000_000,
      dollar: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
      nftCheckout: ["sardine"],
      onRamp: ["transak"],
    },
    swap: {
      router: "0x7a250d5630b4cf539739df2c5dacb4c659f2488d",
      v3: { quoter: "0xb27308f9f90d607463bb33ea1bebb41c27ce5ab6" },
      currencies: ["0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"],
    },
  });
  expect(settingsOf("polygon")?.marketplace).toBeNull();
});

/** The shipped settings without their networks. */
const [general = ""] = readFileSync("platform/config.yaml", "utf8").split(
  /^(?=networks:$)/mu,
);

/**
 * Returns the location of the line that starts with a prefix, e.g. `line 7`.
 */
function lineOf(text: string, start: string): string {
  const index = text.split("\n").findIndex((line) => line.startsWith(start));
  return `line ${index + 1}`;
}

/** Returns the errors of settings, one per line, without the file name. */
function errorsOf(
  text: string,
  environment: Readonly<Record<string, string>> = {},
): readonly string[] {
  const written = write(text);
  try {
    readSettings({ ...written, ...environment });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const file = `${written["CONFIG"]}:`;
    return error.message.split("\n").map((line) => line.replace(file, "line "));
  }
  return [];
}

test("reports the line of each mistake without repeating secrets", () => {
  const text = general
    .replace("port: 4242", "port: 70000")
    .replace("logLevel: info", "logLevel: loud")
    .replace("burst: 1000", "burst: 0\n  brust: 2")
    .replace(/^defaultNetwork: .*$/mu, "defaultNetwork: nowhere");
  const found = errorsOf(`${text}networks: {}\n`, {
    PLATFORM_SECRET: "very secret",
    METRICS_PORT: "none",
    RELAY_KEY: "very secret",
  });
  const at = (start: string) => lineOf(text, start);
  expect(found).toEqual([
    `${at("port:")}: port: expected an integer from 0 to 65535, got 70000`,
    `METRICS_PORT: expected an integer from 0 to 65535, got "none"`,
    "RELAY_KEY: expected 0x and 64 hex digits, got a hidden value",
    `${at("logLevel:")}: logLevel: expected one of debug, info, warn, error, silent, got "loud"`,
    `${at("  burst: 0")}: rateLimit.burst: expected an integer from 1 to 1000000000, got 0`,
    `${at("  brust:")}: rateLimit.brust: expected no setting with this name, got 2`,
    `${at("embeddedChain:")}: embeddedChain: expected one of the networks, got "hardhat"`,
    `${at("defaultNetwork:")}: defaultNetwork: expected one of the networks, got "nowhere"`,
  ]);
  expect(found.join()).not.toContain("very secret");
});

test("reports a line for a missing setting and for each fault in the settings of a network", () => {
  const text = `${general}networks:
  hardhat:
    chainId: 31337
    nativeSymbol: ETH
    rpcUrls: none
    marketplace: {}
`.replace(/^host: .*\n/mu, "");
  const at = (start: string) => lineOf(text, start);
  expect(errorsOf(text)).toEqual([
    "line 1: host: expected a string, got nothing",
    `${at("    rpcUrls")}: networks.hardhat.rpcUrls: expected a list of strings, got "none"`,
    `${at("    marketplace")}: networks.hardhat.marketplace.seaport: expected an address, got nothing`,
    `${at("    marketplace")}: networks.hardhat.marketplace.dollar: expected an address, got nothing`,
  ]);
});

test.each([
  "https://A.test:443/secret",
  "https://a.test/secret/",
  "https://a.test/secret#1",
])("refuses the RPC URL %s, which would be a majority of two", (url) => {
  const text = `${general.replace(/^(embeddedChain|defaultNetwork): .*$/gmu, "$1: own")}networks:
  own:
    chainId: 31337
    nativeSymbol: ETH
    rpcUrls:
      - https://a.test/secret
      - https://b.test/secret
      - ${url}
`;
  expect(errorsOf(text)).toEqual([
    `${lineOf(text, `      - ${url}`)}: networks.own.rpcUrls[2]: expected a URL that is not in the list yet, got a hidden value`,
  ]);
});

test.each([
  [
    "DATABASE_URL",
    "mysql://user:password@db/app",
    "a URL that starts with postgres:// or postgresql://, got a hidden value",
  ],
  ["CHAIN_URL", "localhost:8545", "an http or https URL, got a hidden value"],
  ["IPFS_GATEWAY", "ipfs.io", `an http or https URL, got "ipfs.io"`],
  ["PROXY_HEADER", "x forwarded", `the name of a header, got "x forwarded"`],
])("rejects the value of %s: %s", (name, value, expected) => {
  const found = errorsOf(readFileSync("platform/config.yaml", "utf8"), {
    [name]: value,
  });
  expect(found).toEqual([`${name}: expected ${expected}`]);
});

test("reports each setting that could never take effect", () => {
  const text = `${general}networks:
  hardhat:
    chainId: 31337
    nativeSymbol: ETH
    rpcUrls:
      - https://node.example/key
      - ftp://node.example/key
    follow:
      pollMs: 1000
      headsUrl: https://node.example/key
    swap:
      currencies:
        - "0x6B175474E89094C44Da98b954EedeAC495271d0F"
        - DAI
  copy:
    chainId: 31337
    nativeSymbol: ETH
    rpcUrls: []
`
    .replace("adminNames: []", "adminNames: [https://console.example.com]")
    .replace(
      "allowedOrigins: []",
      "allowedOrigins: [https://app.example.com/, 'http://localhost:3000']",
    )
    .replace("allowedHeaders: []", "allowedHeaders: [X-Trace, 'X Trace']");
  const at = (start: string) => lineOf(text, start);
  expect(errorsOf(text)).toEqual([
    `${at("adminNames:")}: adminNames[0]: expected a host name without a port, got "https://console.example.com"`,
    `${at("allowedOrigins:")}: allowedOrigins[0]: expected an origin such as https://app.example.com, or *, got "https://app.example.com/"`,
    `${at("allowedHeaders:")}: allowedHeaders[1]: expected the name of a header, got "X Trace"`,
    `${at("      headsUrl")}: networks.hardhat.follow.headsUrl: expected a ws or wss URL, got a hidden value`,
    `${at("      - ftp")}: networks.hardhat.rpcUrls[1]: expected an http or https URL, got a hidden value`,
    `${at("        - DAI")}: networks.hardhat.swap.currencies[1]: expected an address, got "DAI"`,
    `line ${text.split("\n").lastIndexOf("    chainId: 31337") + 1}: networks.copy.chainId: expected a chain ID that hardhat does not have, got 31337`,
  ]);
});

test("reports the name of an unreadable file, and the line of invalid YAML", () => {
  const environment = { CONFIG: "/nowhere/config.yaml" };
  expect(() => readSettings(environment)).toThrow("/nowhere/config.yaml: ");
  expect(errorsOf("a: 1\nb: [")).toEqual([expect.stringMatching(/^line 2: /u)]);
});
