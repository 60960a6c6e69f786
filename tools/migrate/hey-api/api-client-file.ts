import { relativeSpecifier } from "../../implement/import-names.js";
import { type HelperFile, helperFile } from "../change/helper-file.js";
import type { Migration } from "../change/old-client.js";
import { type Base, clientFile } from "../change/operations.js";
import { type DefaultClient, findDefault } from "./default-client.js";
import { schemeOf } from "./check-security.js";

/**
 * Returns the file with the client that has the settings and interceptors of
 * hey-api. It replaces the one that generated code creates.
 */
export function apiClientFile(base: Base, migration: Migration): HelperFile {
  const { helpers, importExtension, output } = migration;
  const { host, prefix } = base;
  const path = `${helpers}/api-client.ts`;
  const found = defaultOf(base, migration);
  const generated = `${output}/${clientFile(base)}${importExtension}`;
  const { client, createClient } = host.names;
  const file = helperFile("hey-api/api-client.ts", "createApiClient", {
    "../contract/client.js": relativeSpecifier(path, generated),
  });
  const old =
    found?.isStaying === true
      ? `import { client as oldClient } from ${JSON.stringify(relativeSpecifier(path, `${found.document}/client.gen${importExtension}`))};\n`
      : "";
  const text = fillIn(file.text, {
    createContractClient: createClient,
    ContractClient: client,
    '"/prefix"': JSON.stringify(prefix),
    "// Those of the contract.": printCredentials(base, migration),
  });
  return { ...file, text: old + text + printDefault(found) };
}

/** Replaces texts by others, which can contain each other. */
export function fillIn(
  text: string,
  parts: Readonly<Record<string, string>>,
): string {
  const places =
    /createContractClient|ContractClient|"\/prefix"|\/\/ Those of the contract\./gu;
  return text.replace(places, (place) => parts[place] ?? place);
}

interface FoundDefault extends DefaultClient {
  readonly isStaying: boolean;
}

function defaultOf(
  { host }: Base,
  { bases, compiler, programs, staysOld }: Migration,
): FoundDefault | null {
  for (const [document, base] of bases) {
    if (base?.host !== host) continue;
    const found = findDefault(document, programs, compiler);
    if (found !== null) return { ...found, isStaying: staysOld(found) };
  }
  return null;
}

function printDefault(found: FoundDefault | null): string {
  if (found === null) return "";
  const { baseUrl, isStaying } = found;
  const config = baseUrl === null ? "{}" : `{ baseUrl: ${baseUrl} }`;
  return `
/** The client of calls that name no other. */
export const apiClient = createApiClient(${config}${isStaying ? ", oldClient" : ""});
`;
}

/** Prints a function for each credential of the contract. */
function printCredentials({ host }: Base, migration: Migration): string {
  return host.credentials
    .map((credential) => {
      const { names, parameter, place } = credential;
      const scheme = schemeOf(credential, migration);
      const isBasic = scheme?.toLowerCase() === "basic";
      const token =
        scheme === null
          ? `{ type: "apiKey", in: "${place}", name: ${JSON.stringify(parameter)} }`
          : `{ type: "http", scheme: "${isBasic ? "basic" : "bearer"}" }`;
      const isWhole = credential.scheme !== scheme;
      const word = isWhole ? `, "${isBasic ? "Basic" : "Bearer"}"` : "";
      return `${names.property}: () => tokenFor(config, ${token}${word}),`;
    })
    .join("\n      ");
}
