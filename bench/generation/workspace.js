import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContract } from "./contract/model.js";
import { writeOpenApi } from "./contract/openapi.js";
import { writeProto } from "./contract/proto.js";
import { writeRidl } from "./contract/ridl.js";
import { writeTypeSpec } from "./contract/typespec.js";

const ridlConfig = "schema:\n  - schema/service*.ridl\nout: ridlkit\n";

/** The folder of ridlkit's output in JavaScript. */
export const javascriptOutput = "ridlkit-javascript";

const work = fileURLToPath(new URL("../.work", import.meta.url));

/**
 * Creates a new folder with the same contract in every notation, and the
 * configuration of each tool. The folder is inside bench/, so that tools find
 * packages.
 */
export function createWorkspace(methodCount, name = `${methodCount}`, shape) {
  const folder = join(work, name);
  rmSync(folder, { recursive: true, force: true });
  const contract = createContract(methodCount, shape);
  const files = new Map([
    ["openapi.json", writeOpenApi(contract)],
    ["main.tsp", writeTypeSpec(contract)],
    ["ridl.config.yaml", ridlConfig],
    [
      "ridl.javascript.yaml",
      `${ridlConfig.replace("ridlkit", javascriptOutput)}language: javascript\n`,
    ],
    ["hey-api.config.mjs", heyApi],
    ["orval.config.mjs", orval],
    ["buf.yaml", "version: v2\nmodules:\n  - path: proto\n"],
    ["buf.gen.yaml", bufGen],
    ["package.json", '{ "type": "module" }\n'],
  ]);
  for (const [path, text] of files) writeBelow(folder, path, text);
  writeSchema(folder, contract);
  for (const [path, text] of writeProto(contract)) {
    writeBelow(folder, `proto/${path}`, text);
  }
  return { folder, contract };
}

/** Overwrites only the RIDL documents. */
export function writeSchema(folder, contract) {
  for (const [path, text] of writeRidl(contract)) {
    writeBelow(folder, `schema/${path}`, text);
  }
}

function writeBelow(folder, path, text) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const heyApi = `export default {
  input: "openapi.json",
  output: { path: "hey-api" },
  plugins: ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch", "zod"],
  logs: { level: "silent" },
};
`;

const orval = `export default {
  fetch: {
    input: "openapi.json",
    output: {
      client: "fetch",
      mode: "split",
      target: "orval/api.ts",
      baseUrl: "https://api.example.com",
    },
  },
  zod: {
    input: "openapi.json",
    output: { client: "zod", target: "orval/zod.ts" },
  },
};
`;

const bufGen = `version: v2
plugins:
  - local: protoc-gen-es
    out: protobuf-es
    opt: target=ts,import_extension=js
`;
