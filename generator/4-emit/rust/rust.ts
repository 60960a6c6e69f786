import type { Contract } from "../../ir/contract.js";
import { createConfigurable, type Target } from "../emitter/target.js";
import { findUnsupportedPatterns } from "../templates/find-unsupported-patterns.js";
import { findUnsupportedUnions } from "../templates/find-unsupported-unions.js";
import rustSet from "../templates/own/rust-set.json" with { type: "json" };
import { printOwnSet } from "../templates/template-set.js";
import type { PackageOptions } from "../view/create-view.js";
import { layOutRust } from "./lay-out.js";

/** What Cargo accepts as a version. */
const semver =
  "^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)(-[0-9A-Za-z]+)?$";

/**
 * Writes a crate with a client in Rust to the folder `rust`. Its files are in
 * `templates/rust`.
 */
export const rustEmitter = createConfigurable(
  {
    schema: {
      description: "Options for the crate. Default: `{}`.",
      type: "object",
      additionalProperties: false,
      properties: {
        name: {
          description:
            "Name of the crate. Default: the name of the first host.",
          type: "string",
          pattern: "^[A-Za-z][A-Za-z0-9_-]*$",
          examples: ["acme-shop"],
        },
        version: {
          description:
            "Version of the crate. Default: the version of the first host, or `0.0.0` if Cargo does not accept it.",
          type: "string",
          pattern: semver,
          examples: ["1.2.0"],
        },
      },
    },
    example: { name: "acme-shop", version: "1.2.0" },
  },
  {},
  (setting: PackageOptions): Target => ({
    name: "rust",
    summary: "A crate with a client in Rust.",
    guide: "rust.md",
    findFaults: (contract) => [
      ...findUnsupportedUnions(contract, "Rust", () => false),
      ...findUnsupportedPatterns(
        contract,
        "Rust",
        "let your program check the value with `ridl::set_pattern`",
      ),
    ],
    emit: (contract, { skew }, context) =>
      printOwnSet(rustSet, contract, context, {
        package: { version: versionOf(contract), ...setting },
        skew,
      }).map((file) =>
        /\/src\/\w+\.rs$/u.test(file.path)
          ? { ...file, text: layOutRust(file.text) }
          : file,
      ),
  }),
);

function versionOf({ hosts: [host] }: Contract): string {
  const version = host?.version ?? "";
  return new RegExp(semver, "u").test(version) ? version : "0.0.0";
}
