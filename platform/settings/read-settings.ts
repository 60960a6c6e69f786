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
import {
  logLevels,
  type RateLimitSettings,
  type Settings,
} from "./settings.js";
import { readSettingsFile, SettingsError } from "./settings-file.js";

type Environment = Readonly<Record<string, string | undefined>>;

const defaultFile = "platform/config.yaml";

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
  ALLOW_PRIVATE_TARGETS: "allowPrivateTargets",
  PROXY_HEADER: "proxyHeader",
  RELAY_KEY: "relayKey",
  IPFS_GATEWAY: "ipfsGateway",
  LOG_LEVEL: "logLevel",
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
  if (report.failures.length === 0) return settings;
  const describe = (failure: Failure): string => {
    const variable = given.get(String(failure.path[0]));
    return variable === undefined
      ? `${file.placeOf(failure.path)}: ${printFailures([failure])}`
      : printFailures([{ ...failure, path: [variable] }]);
  };
  throw new SettingsError(report.failures.map(describe).join("\n"));
}

function toSettings(section: Section): Settings {
  return {
    host: section.text("host"),
    port: section.integer("port", [0, 65535]),
    metricsHost: section.text("metricsHost"),
    metricsPort: section.integer("metricsPort", [0, 65535]),
    adminHost: section.text("adminHost"),
    adminPort: section.integer("adminPort", [0, 65535]),
    adminNames: section.texts("adminNames", hostName),
    operators: section.section("operators", toOperators),
    operatorToken: section.optionalText("operatorToken", token),
    sessionHours: section.integer("sessionHours", [1, 24 * 365]),
    dataFolder: section.text("dataFolder"),
    databaseUrl: section.optionalText("databaseUrl", databaseUrl),
    secret: section.optionalText("secret"),
    relayKey: toHex(section.optionalText("relayKey", accountKey)),
    logLevel: section.oneOf("logLevel", logLevels) ?? "info",
    rateLimit: section.section("rateLimit", toRateLimit),
    addressRateLimit: section.section("addressRateLimit", toRateLimit),
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
    deliveriesPerProject: section.integer("deliveriesPerProject"),
    sponsorsPerProject: section.integer("sponsorsPerProject"),
    relaysPerProject: section.integer("relaysPerProject"),
    refreshesPerProject: section.integer("refreshesPerProject"),
    refreshTokensPerProject: section.integer("refreshTokensPerProject"),
    allowPrivateTargets: section.boolean("allowPrivateTargets"),
    ipfsGateway: section.text("ipfsGateway", webUrl),
    graceMs: section.integer("graceMs"),
    embeddedChain: section.optionalText("embeddedChain"),
    chainUrl: section.optionalText("chainUrl", nodeUrl),
    demo: section.boolean("demo"),
    defaultNetwork: section.text("defaultNetwork"),
    networks: section.section("networks", (networks) =>
      networks.sections(readNetwork),
    ),
  };
}

/** Returns the password hashes by operator name. */
function toOperators(section: Section): Settings["operators"] {
  return Object.fromEntries(
    section.keys().map((name) => [name, section.text(name, passwordHash)]),
  );
}

/** Returns null for a key that is missing or invalid. */
function toHex(key: string | null): Settings["relayKey"] {
  return key ? `0x${key.slice(2)}` : null;
}

function toRateLimit(limit: Section): RateLimitSettings {
  return {
    requestsPerSecond: limit.integer("requestsPerSecond", [1, 1e9]),
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
