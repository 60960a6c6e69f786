import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { layOutRust } from "../../../generator/4-emit/rust/lay-out.js";
import rustSet from "../../../generator/4-emit/templates/own/rust-set.json" with { type: "json" };
import { findOwnSet } from "../../../generator/4-emit/templates/template-set.js";
import type { EmitOptions } from "../../../generator/4-emit/emitter/emitter.js";
import { createContractView } from "../../../generator/4-emit/view/create-view.js";
import { settleNames } from "../../../generator/4-emit/view/settle-names.js";
import type { Contract } from "../../../generator/ir/contract.js";
import { contract, contractSkew } from "../conformance/served-contract.js";
import { runCommand } from "../run-command.js";
import { writeSet } from "../write-set.js";

const here = fileURLToPath(new URL(".", import.meta.url));

/** The compiled packages, which all tests share. */
const target = join(here, "../.work/rust");

/** Runs cargo in a folder. Packages that are not compiled yet take a minute. */
export const cargo = (
  folder: string,
  ...args: readonly string[]
): Promise<string> =>
  runCommand("cargo", args, folder, { CARGO_TARGET_DIR: target });
