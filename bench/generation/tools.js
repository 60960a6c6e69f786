import { readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProcess } from "../harness/run-process.js";
import { versionOf } from "../harness/machine.js";

const bin = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const node = process.execPath;
const { version } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);

/** Returns the ridlkit command with arguments. */
export function ridl(...args) {
  return [node, join(root, "bin/ridl.js"), ...args];
}

/** A peer without goals that takes more CPU seconds than this is slow. */
export const slowSeconds = 5;
/** The number of rounds for slow peers. */
export const slowRounds = 3;

/** Name of our subject. */
export const ownSubject = "ridlkit";
/** Name of the peer that goals refer to. */
export const baseline = "openapi-typescript";

/**
 * The measured tools, each with everything that it emits for one contract.
 * - `makes`: what it emits;
 * - `command`, `output`: its command in a workspace, and its output folder;
 * - `largest`: the maximum number of methods, because larger contracts take
 *   minutes.
 */
const tools = [
  {
    name: ownSubject,
    makes: "types, errors, client, server, validators, codecs",
    version,
    command: ridl("generate", "--force"),
    output: "ridlkit",
    largest: Infinity,
  },
  {
    name: baseline,
    makes: "types",
    version: versionOf("openapi-typescript"),
    command: [
      node,
      bin("node_modules/openapi-typescript/bin/cli.js"),
      "openapi.json",
      "-o",
      "openapi-typescript/api.ts",
    ],
    output: "openapi-typescript",
    largest: Infinity,
  },
  {
    name: "@hey-api/openapi-ts",
    makes: "types, client, zod",
    version: versionOf("@hey-api/openapi-ts"),
    command: [
      node,
      bin("node_modules/@hey-api/openapi-ts/bin/run.js"),
      "-f",
      "hey-api.config.mjs",
    ],
    output: "hey-api",
    largest: 1_000,
  },
  {
    name: "orval",
    makes: "types, client, zod",
    version: versionOf("orval"),
    command: [
      node,
      bin("node_modules/orval/dist/bin/orval.mjs"),
      "--config",
      "orval.config.mjs",
    ],
    output: "orval",
    largest: 1_000,
  },
  {
    name: "protoc-gen-es (buf)",
    makes: "messages, service descriptors",
    version: `${versionOf("@bufbuild/protoc-gen-es")} (${versionOf("@bufbuild/buf")})`,
    command: [
      "env",
      `PATH=${bin("node_modules/.bin")}:${process.env.PATH}`,
      bin("node_modules/.bin/buf"),
      "generate",
    ],
    output: "protobuf-es",
    largest: 1_000,
  },
  {
    name: "TypeSpec",
    makes: "OpenAPI",
    version: versionOf("@typespec/compiler"),
    command: [
      node,
      bin("node_modules/@typespec/compiler/cmd/tsp.js"),
      "compile",
      ".",
      "--emit",
      "@typespec/openapi3",
      "--output-dir",
      "typespec",
    ],
    output: "typespec",
    largest: 1_000,
  },
];

/**
 * Returns the tools as subjects in one workspace. Each starts without output,
 * and the result of its first run is checked: the output must contain
 * everything in the contract.
 */
export function toolsIn({ folder, contract }) {
  return tools
    .filter(({ largest }) => contract.methodCount <= largest)
    .map((tool) => ({
      ...tool,
      folder,
      isPeer: tool.name !== ownSubject,
      measure: () => {
        rmSync(join(folder, tool.output), { recursive: true, force: true });
        return runProcess(tool.command, folder);
      },
      roundsFor:
        tool.name === ownSubject || tool.name === baseline ? null : roundsFor,
      check: () => checkOutput(join(folder, tool.output), contract, tool.name),
    }));
}

/**
 * Returns the number of rounds for a slow peer without goals, or null for other
 * peers, which run in all rounds.
 */
function roundsFor({ cpu }) {
  return cpu > slowSeconds ? slowRounds : null;
}

/** Throws unless the output contains every method and every struct. */
function checkOutput(folder, contract, name) {
  const text = readAll(folder).join("\n").toLowerCase();
  const words = new Set(text.match(/[a-z0-9_]+/gu));
  const wanted = contract.services.flatMap(({ structs, methods }) =>
    [...structs, ...methods].map((each) => each.name.toLowerCase()),
  );
  const missing = wanted.filter((each) => !words.has(each));
  if (missing.length > 0) {
    throw new Error(
      `${name} left out ${missing.length} names, e.g. ${missing[0]}`,
    );
  }
}

function readAll(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
}
