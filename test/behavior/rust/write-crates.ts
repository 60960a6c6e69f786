import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EmitOptions } from "../../../generator/4-emit/emitter/emitter.js";
import { rustEmitter } from "../../../generator/4-emit/rust/rust.js";
import rustSet from "../../../generator/4-emit/templates/own/rust-set.json" with { type: "json" };
import { findOwnSet } from "../../../generator/4-emit/templates/template-set.js";
import { createContractView } from "../../../generator/4-emit/view/create-view.js";
import { settleNames } from "../../../generator/4-emit/view/settle-names.js";
import type { Contract } from "../../../generator/ir/contract.js";
import { contract, contractSkew } from "../conformance/served-contract.js";
import { runCommand } from "../run-command.js";

const here = fileURLToPath(new URL(".", import.meta.url));

/** The folder with compiled packages, which all tests share. */
export const target = join(here, "../.work/rust");

/** Runs cargo in a folder. The first run compiles packages, which takes minutes. */
export const cargo = (
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> =>
  runCommand("cargo", args, folder, {
    CARGO_TARGET_DIR: target,
    // `scripts/test-long/languages.js` has downloaded the packages.
    CARGO_NET_OFFLINE: "true",
    ...env,
  });

/** Writes the crate of a contract as the target does. */
export function writeCrate(
  each: Contract,
  folder: string,
  name: string,
  skew?: EmitOptions["skew"],
): void {
  const options: EmitOptions = {
    int64: "bigint",
    timestamp: "string",
    runtime: "import",
    importExtension: ".js",
    ...(skew && { skew }),
  };
  for (const { path, text } of rustEmitter.with({ name }).emit(each, options)) {
    const file = join(folder, path.replace("rust/", `${name}/`));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Writes a workspace of the crates in a folder. */
export function writeWorkspace(folder: string): void {
  const members = readdirSync(folder).filter((name) => !name.startsWith("."));
  const text = `[workspace]\nresolver = "3"\nmembers = ${JSON.stringify(members)}\n`;
  writeFileSync(join(folder, "Cargo.toml"), text);
  // Cargo adds the crates of the workspace.
  cpSync(join(here, "Cargo.lock"), join(folder, "Cargo.lock"));
}

/** Writes a crate with a program or tests of these files. */
export function writeProgram(
  folder: string,
  name: string,
  crates: readonly string[],
  files: Readonly<Record<string, string>>,
): void {
  const source = join(folder, name, "src");
  mkdirSync(source, { recursive: true });
  const own = crates.map(
    (each) =>
      `${each} = { path = "../${each}", default-features = false, features = ["reqwest"] }\n`,
  );
  const manifest = [
    `[package]\nname = "${name}"\nversion = "0.0.0"\nedition = "2024"\n\n[dependencies]\n`,
    ...own,
    'base64 = "0.22"\nbytes = "1"\nfutures-util = { version = "0.3", default-features = false }\n',
    'hmac = "0.12"\nserde = "1"\nserde_json = "1"\nsha2 = "0.10"\n',
    'reqwest = { version = "0.12", default-features = false }\n',
    'tokio = { version = "1", features = ["macros", "rt-multi-thread"] }\n',
  ];
  writeFileSync(join(folder, name, "Cargo.toml"), manifest.join(""));
  for (const [file, text] of Object.entries(files))
    writeFileSync(join(source, file), text);
}

/** Writes the crates of the driver of `ridl conformance`. */
export function writeDriver(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeCrate(contract, folder, "conformance", contractSkew.skew);
  const main = readFileSync(join(here, "driver.rs"), "utf8");
  const files = { "main.rs": main, "calls.rs": printCalls() };
  writeProgram(folder, "driver", ["conformance"], files);
  writeWorkspace(folder);
}

/** Builds the driver. Returns the path of the program. */
export async function buildDriver(folder: string): Promise<string> {
  await cargo(folder, ["build", "--quiet", "--package", "driver"]);
  const program = join(folder, "driver.exe");
  cpSync(join(target, "debug", `driver${suffix}`), program);
  return program;
}

const suffix = process.platform === "win32" ? ".exe" : "";

/** Prints a function that calls the methods of the conformance contract by their names. */
function printCalls(): string {
  const names = settleNames(contract, findOwnSet(rustSet).rules);
  const [host] = createContractView(contract, { names }).hosts;
  const arms = (host?.services ?? []).flatMap(({ identifier, methods }) =>
    methods
      .filter(({ request }) => !request.hasFiles)
      .map((method) => {
        const { request, response } = method;
        const given = request.fields.length > 0 ? "&read(request)?" : "";
        const call = `client.${identifier}().${method.identifier}(${given})`;
        const outcome = response.isStream
          ? `items(${call}, take).await`
          : response.hasFiles
            ? `file(${call}.await).await`
            : `${response.fields.length > 0 ? "value" : "nothing"}(${call}.await)`;
        return `("${method.service}", "${method.name}") => ${outcome},`;
      }),
  );
  return `use super::*;

pub async fn call(client: &ConformanceClient, service: &str, method: &str, request: Value, take: usize) -> Outcome {
    match (service, method) {
        ${arms.join("\n        ")}
        _ => Err(json!({ "unsupported": "the contract has no such method" })),
    }
}
`;
}
