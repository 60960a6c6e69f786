import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { methodNames, ridlOf } from "../client/contract.js";
import { runProcess } from "../harness/run-process.js";
import { work } from "./host-process.js";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The methods of the servers whose start is measured. */
export const methods = methodNames(40);

/** Generates our servers: one with all measured calls, and one with 40 methods. */
export function generate() {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  for (const name of ["orders", "items"]) {
    cpSync(here(`../server/contract/${name}.ridl`), `${work}${name}.ridl`);
  }
  cpSync(here("contract.ridl"), `${work}hosts.ridl`);
  writeFileSync(`${work}things.ridl`, ridlOf(methods));
  writeFileSync(`${work}package.json`, '{ "type": "module" }\n');
  for (const [schema, out] of [
    ["hosts.ridl", "ridlkit"],
    ["things.ridl", "things"],
  ]) {
    const config = {
      schema: [schema],
      out,
      language: "javascript",
      emit: ["server"],
    };
    writeFileSync(`${work}ridl.config.yaml`, JSON.stringify(config));
    runProcess([process.execPath, here("../../bin/ridl.js"), "generate"], work);
  }
}
