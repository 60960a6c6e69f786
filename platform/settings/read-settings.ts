import { readFileSync } from "node:fs";

import { isRecord, printFailures, Report } from "@ridlkit/runtime/validation";
import { parse } from "yaml";

import { isPasswordHash } from "./password-hash.js";
import { Section } from "./section.js";
import {
  logLevels,
  type NetworkSettings,
  type RateLimitSettings,
  type Settings,
} from "./settings.js";

/** The settings cannot be used; the message says why. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

type Environment = Readonly<Record<string, string | undefined>>;

const defaultFile = "platform/config.yaml";

/** Settings that the environment replaces, by the names of its variables. */
const variables = {
  HOST: "host",
  PORT: "port",
  METRICS_HOST: "metricsHost",
  METRICS_PORT: "metricsPort",
  ADMIN_HOST: "adminHost",
  ADMIN_PORT: "adminPort",
  OPERATOR_TOKEN: "operatorToken",
  DEMO: "demo",
  DATA_FOLDER: "dataFolder",
  DATABASE_URL: "databaseUrl",
  CHAIN_URL: "chainUrl",
  PLATFORM_SECRET: "secret",
  ALLOW_PRIVATE_TARGETS: "allowPrivateTargets",
  PROXY_HEADER: "proxyHeader",
  RELAY_KEY: "relayKey",
  IPFS_GATEWAY: "ipfsGateway",
  LOG_LEVEL: "logLevel",
} as const;

/**
 * Reads `config.yaml`, or the file that `CONFIG` names, and the environment,
 * which has the last word.
 *
 * Errors: SettingsError.
 */
export function readSettings(environment: Environment): Settings {
  const path = environment["CONFIG"] ?? defaultFile;
  const values = readValues(path);
  for (const [variable, key] of Object.entries(variables)) {
    const value = environment[variable];
    if (value !== undefined && value !== "") values[key] = value;
  }
  const report = new Report();
  const section = new Section(values, report);
  const settings = toSettings(section);
  section.refuseOthers();
  refuseUnknownHandles(settings, report);
  if (report.isClean) return settings;
  throw new SettingsError(`${path}: ${printFailures(report.failures)}`);
}

function readValues(path: string): Record<string, unknown> {
  try {
    const values: unknown = parse(readFileSync(path, "utf8"));
    return isRecord(values) ? { ...values } : {};
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingsError(`${path}: ${reason}`);
  }
}

function toSettings(section: Section): Settings {
  return {
    host: section.text("host"),
    port: section.integer("port", [0, 65535]),
    metricsHost: section.text("metricsHost"),
    metricsPort: section.integer("metricsPort", [0, 65535]),
    adminHost: section.text("adminHost"),
    adminPort: section.integer("adminPort", [0, 65535]),
    operators: section.section("operators", toOperators),
    operatorToken: section.optionalSecret("operatorToken", 32),
    sessionHours: section.integer("sessionHours", [1, 24 * 365]),
    dataFolder: section.text("dataFolder"),
    databaseUrl: section.optionalText("databaseUrl"),
    secret: section.optionalText("secret"),
    relayKey: section.optionalKey("relayKey"),
    logLevel: section.oneOf("logLevel", logLevels) ?? "info",
    rateLimit: section.section("rateLimit", toRateLimit),
    addressRateLimit: section.section("addressRateLimit", toRateLimit),
    proxyHeader: section.optionalText("proxyHeader")?.toLowerCase() ?? null,
    concurrency: section.section("concurrency", (limit) => ({
      running: limit.integer("running", [1, 1e6]),
      runningPerCaller: limit.integer("runningPerCaller", [1, 1e6]),
      bodiesPerCaller: limit.integer("bodiesPerCaller", [1, 1e6]),
      waiting: limit.integer("waiting", [0, 1e6]),
      waitMs: limit.integer("waitMs", [0, 60_000]),
    })),
    allowedOrigins: section.texts("allowedOrigins"),
    allowedHeaders: section.texts("allowedHeaders"),
    refuseSecretsOfPages: section.boolean("refuseSecretsOfPages"),
    requireSignInMessages: section.boolean("requireSignInMessages"),
    listenersPerProject: section.integer("listenersPerProject"),
    allowPrivateTargets: section.boolean("allowPrivateTargets"),
    ipfsGateway: section.url("ipfsGateway"),
    graceMs: section.integer("graceMs"),
    embeddedChain: section.optionalText("embeddedChain"),
    chainUrl: section.optionalText("chainUrl"),
    demo: section.boolean("demo"),
    defaultNetwork: section.text("defaultNetwork"),
    networks: section.section("networks", (networks) =>
      networks.sections(toNetwork),
    ),
  };
}

/** Password hashes by the names of operators. */
function toOperators(section: Section): Settings["operators"] {
  return Object.fromEntries(
    section
      .keys()
      .map((name) => [
        name,
        section.secret(
          name,
          "a hash that `operator hash` prints",
          isPasswordHash,
        ),
      ]),
  );
}

function toRateLimit(limit: Section): RateLimitSettings {
  return {
    requestsPerSecond: limit.integer("requestsPerSecond", [1, 1e9]),
    burst: limit.integer("burst", [1, 1e9]),
  };
}

function toNetwork(handle: string, section: Section): NetworkSettings {
  const follow = section.optionalSection("follow", (chain) => ({
    pollMs: chain.integer("pollMs", [10, 3_600_000]),
    headsUrl: chain.optionalText("headsUrl"),
  }));
  return {
    handle,
    chainId: section.integer("chainId"),
    nativeSymbol: section.text("nativeSymbol"),
    rpcUrls: section.texts("rpcUrls"),
    swap: section.optionalSection("swap", (swap) => ({
      router: swap.address("router"),
      currencies: swap.addresses("currencies"),
    })),
    marketplace: section.optionalSection("marketplace", (marketplace) => ({
      seaport: marketplace.address("seaport"),
      startBlock: marketplace.integer("startBlock"),
      dollar: marketplace.address("dollar"),
      nftCheckout: marketplace.texts("nftCheckout"),
      onRamp: marketplace.texts("onRamp"),
    })),
    ...(follow !== null && { follow }),
  };
}

function refuseUnknownHandles(settings: Settings, report: Report): void {
  const handles = settings.networks.map(({ handle }) => handle);
  for (const key of ["embeddedChain", "defaultNetwork"] as const) {
    const handle = settings[key];
    if (handle === null || handles.includes(handle)) continue;
    report.failAt(key, "one of the networks", handle);
  }
}
