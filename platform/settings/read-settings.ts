import {
  type Failure,
  FailureReport,
  printFailures,
  type Report,
} from "@ridlkit/runtime/validation";

import {
  accountKey,
  databaseUrl,
  headerName,
  hostName,
  nodeUrl,
  origin,
  passwordHash,
  token,
  webUrl,
} from "./forms.js";
import { readNetwork } from "./read-network.js";
import { Section } from "./section.js";
import { readSettingsFile, SettingsError } from "./settings-file.js";

/** The roles of operators. */
export const operatorRoles = [
  "owner",
  "billing",
  "support",
  "read-only",
] as const;

/** An operator in `config.yaml`. */
export interface OperatorSettings {
  readonly role: (typeof operatorRoles)[number];
  /** The hash of the password. */
  readonly password: string;
}

/** A token bucket for each caller. */
export type RateLimitSettings = Readonly<ReturnType<typeof toRateLimit>>;

type Environment = Readonly<Record<string, string | undefined>>;

const defaultFile = "platform/config.yaml";

/** All log levels, from the most verbose to none. */
const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

/**
 * The settings of `config.yaml`, which explains them, and of the environment.
 */
export type Settings = Readonly<ReturnType<typeof toSettings>>;

/** Settings that environment variables override, by variable name. */
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
  OLD_PLATFORM_SECRET: "oldSecret",
  ALLOW_PRIVATE_TARGETS: "allowPrivateTargets",
  PROXY_HEADER: "proxyHeader",
  RELAY_KEY: "relayKey",
  OLD_RELAY_KEY: "oldRelayKey",
  IPFS_GATEWAY: "ipfsGateway",
  LOG_LEVEL: "logLevel",
  DRAIN_MS: "drainMs",
  OTEL_EXPORTER_OTLP_ENDPOINT: "otlpEndpoint",
} as const;

/**
 * Reads `config.yaml`, or the file named by `CONFIG`, and the environment,
 * which overrides the file.
 *
 * Errors: SettingsError, with the file and line, or the variable, of each
 * mistake.
 */
export function readSettings(environment: Environment): Settings {
  const file = readSettingsFile(environment["CONFIG"] ?? defaultFile);
  const { values } = file;
  const given = new Map<string, string>();
  for (const [variable, key] of Object.entries(variables)) {
    const value = environment[variable];
    if (value === undefined || value === "") continue;
    values[key] = value;
    given.set(key, variable);
  }
  const report = new FailureReport();
  const section = new Section(values, report);
  const settings = toSettings(section);
  section.refuseOthers();
  refuseUnknownHandles(settings, report);
  refuseSharedChainIds(settings, report);
  refuseRepeatedUrls(settings, report);
  if (report.failures.length === 0) return settings;
  const describe = (failure: Failure): string => {
    const variable = given.get(String(failure.path[0]));
    return variable === undefined
      ? `${file.placeOf(failure.path)}: ${printFailures([failure])}`
      : printFailures([{ ...failure, path: [variable] }]);
  };
  throw new SettingsError(report.failures.map(describe).join("\n"));
}

function toSettings(section: Section) {
  return {
    host: section.text("host"),
    port: section.integer("port", [0, 65535]),
    metricsHost: section.text("metricsHost"),
    metricsPort: section.integer("metricsPort", [0, 65535]),
    adminHost: section.text("adminHost"),
    adminPort: section.integer("adminPort", [0, 65535]),
    adminNames: section.texts("adminNames", hostName),
    operators: section.section("operators", toOperators),
    /** Null for the one in the data folder, like `secret`. */
    operatorToken: section.optionalText("operatorToken", token),
    sessionHours: section.integer("sessionHours", [1, 24 * 365]),
    dataFolder: section.text("dataFolder"),
    /** Null for the embedded database. */
    databaseUrl: section.optionalText("databaseUrl", databaseUrl),
    secret: section.optionalText("secret"),
    /** The secret that it replaces. Keys that it created are still accepted. */
    oldSecret: section.optionalText("oldSecret"),
    /** If it is null, only the embedded chain relays calls. */
    relayKey: toHex(section.optionalText("relayKey", accountKey)),
    /** The key that it replaces. It only finishes what it has begun. */
    oldRelayKey: toHex(section.optionalText("oldRelayKey", accountKey)),
    logLevel: section.oneOf("logLevel", logLevels) ?? "info",
    /** The collector, without `/v1/traces`, or null if there is none. */
    otlpEndpoint: section.optionalText("otlpEndpoint", webUrl),
    traceUrl: section.optionalText("traceUrl", webUrl),
    rateLimit: section.section("rateLimit", toRateLimit),
    addressRateLimit: section.section("addressRateLimit", toRateLimit),
    /** In lowercase, or null if there is no such proxy. */
    proxyHeader:
      section.optionalText("proxyHeader", headerName)?.toLowerCase() ?? null,
    concurrency: section.section("concurrency", (limit) => ({
      running: limit.integer("running", [1, 1e6]),
      runningPerCaller: limit.integer("runningPerCaller", [1, 1e6]),
      bodiesPerCaller: limit.integer("bodiesPerCaller", [1, 1e6]),
      waiting: limit.integer("waiting", [0, 1e6]),
      waitMs: limit.integer("waitMs", [0, 60_000]),
    })),
    allowedOrigins: section.texts("allowedOrigins", origin),
    allowedHeaders: section.texts("allowedHeaders", headerName),
    refuseSecretsOfPages: section.boolean("refuseSecretsOfPages"),
    requireSignInMessages: section.boolean("requireSignInMessages"),
    listenersPerProject: section.integer("listenersPerProject"),
    listenerFiltersPerProject: section.integer("listenerFiltersPerProject"),
    listenerWorkPerBlock: section.integer("listenerWorkPerBlock"),
    listenerWorkOfAllProjects: section.integer("listenerWorkOfAllProjects"),
    deliveriesPerProject: section.integer("deliveriesPerProject"),
    sponsorsPerProject: section.integer("sponsorsPerProject"),
    relaysPerProject: section.integer("relaysPerProject"),
    relaysPerWallet: section.integer("relaysPerWallet"),
    fillersPerDay: section.integer("fillersPerDay"),
    refreshesPerProject: section.integer("refreshesPerProject"),
    refreshTokensPerProject: section.integer("refreshTokensPerProject"),
    allowPrivateTargets: section.boolean("allowPrivateTargets"),
    ipfsGateway: section.text("ipfsGateway", webUrl),
    graceMs: section.integer("graceMs"),
    drainMs: section.integer("drainMs", [0, 60_000]),
    /** The handle of its network, or null if there is none. */
    embeddedChain: section.optionalText("embeddedChain"),
    /** The embedded chain if it is already running, or null to start one. */
    chainUrl: section.optionalText("chainUrl", nodeUrl),
    demo: section.boolean("demo"),
    defaultNetwork: section.text("defaultNetwork"),
    networks: section.section("networks", (networks) =>
      networks.sections(readNetwork),
    ),
  };
}

/** Returns the password hashes by operator name. */
function toOperators(
  section: Section,
): Readonly<Record<string, OperatorSettings>> {
  return Object.fromEntries(
    section.keys().map((name) => [name, toOperator(section, name)]),
  );
}

/** Reads an operator. A hash alone, without a role, stands for an owner. */
function toOperator(section: Section, name: string): OperatorSettings {
  if (!section.isSection(name)) {
    return { role: "owner", password: section.text(name, passwordHash) };
  }
  return section.section(name, (operator) => ({
    role: operator.oneOf("role", operatorRoles) ?? "read-only",
    password: operator.text("password", passwordHash),
  }));
}

/** Returns null for a key that is missing or invalid. */
function toHex(key: string | null): `0x${string}` | null {
  return key ? `0x${key.slice(2)}` : null;
}

function toRateLimit(limit: Section) {
  return {
    /** The rate at which the bucket is refilled. */
    requestsPerSecond: limit.integer("requestsPerSecond", [1, 1e9]),
    /** The size of the bucket. */
    burst: limit.integer("burst", [1, 1e9]),
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

/**
 * A node that is listed twice would be a majority of two. Requests do not contain
 * the fragment, and nodes ignore slashes at the end of a path.
 */
function refuseRepeatedUrls({ networks }: Settings, report: Report): void {
  report.enter("networks");
  report.hidden += 1;
  for (const { handle, rpcUrls } of networks) {
    report.enter(handle);
    report.enter("rpcUrls");
    const urls = rpcUrls.map((text) => {
      if (!URL.canParse(text)) return text;
      const { host, pathname, protocol, search } = new URL(text);
      const path = pathname.replace(/\/+$/u, "");
      return [protocol, host, path, search].join(" ");
    });
    for (const [index, url] of urls.entries()) {
      if (urls.indexOf(url) === index) continue;
      report.failAt(index, "a URL that is not in the list yet", rpcUrls[index]);
    }
    report.leave();
    report.leave();
  }
  report.hidden -= 1;
  report.leave();
}

/** Positions, tanks and nonces are stored by chain ID. */
function refuseSharedChainIds({ networks }: Settings, report: Report): void {
  report.enter("networks");
  for (const [index, { handle, chainId }] of networks.entries()) {
    const first = networks.findIndex((other) => other.chainId === chainId);
    if (first === index) continue;
    report.enter(handle);
    const expected = `a chain ID that ${networks[first]?.handle} does not have`;
    report.failAt("chainId", expected, chainId);
    report.leave();
  }
  report.leave();
}
