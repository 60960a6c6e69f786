import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import typescript from "typescript";
import { folder } from "./contract/generated.js";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const ridl = here("../../bin/ridl.js");
const buf = here("../node_modules/.bin/buf");
const plugin = here(
  "../node_modules/@bufbuild/protoc-gen-es/bin/protoc-gen-es",
);

/** Generates the code for our server and for Connect's from the contracts. */
export function generate() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(here("contract/orders.ridl"), join(folder, "orders.ridl"));
  cpSync(here("contract/orders.proto"), join(folder, "proto/orders.proto"));
  write("ridl.config.yaml", "schema: [orders.ridl]\nout: ridlkit\n");
  const alone = "types-alone.ridl";
  cpSync(here(`contract/${alone}`), join(folder, alone));
  write("types.config.yaml", `schema: [${alone}]\nout: ridlkit/types-alone\n`);
  cpSync(here("contract/items.ridl"), join(folder, "items.ridl"));
  write("items.config.yaml", "schema: [items.ridl]\nout: ridlkit/items\n");
  write("buf.yaml", "version: v2\nmodules:\n  - path: proto\n");
  write("buf.gen.yaml", bufGen);
  write("package.json", '{ "type": "module" }\n');
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(here("../.."), join(folder, "node_modules/ridlkit"), "dir");
  run(process.execPath, [ridl, "generate"]);
  run(process.execPath, [ridl, "generate", "--config", "types.config.yaml"]);
  run(process.execPath, [ridl, "generate", "--config", "items.config.yaml"]);
  run(buf, ["generate"]);
  const source = join(folder, "ridlkit");
  for (const path of readdirSync(source, { recursive: true })) {
    if (path.endsWith(".ts")) transpile(join(source, path));
  }
}

function transpile(path) {
  const { outputText } = typescript.transpileModule(
    readFileSync(path, "utf8"),
    {
      compilerOptions: { target: "es2022", module: "esnext" },
    },
  );
  writeFileSync(path.replace(/\.ts$/u, ".js"), outputText);
}

function write(path, text) {
  writeFileSync(join(folder, path), text);
}

function run(command, args) {
  execFileSync(command, args, {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

const bufGen = `version: v2
plugins:
  - local: [node, ${plugin}]
    out: protobuf-es
    opt: target=js,import_extension=js
`;
