import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProcess } from "../harness/run-process.js";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
export const folder = here("../.work/hostile");

/**
 * Generates ridlkit's server, and a description of the service for Connect, which
 * needs no generated code then.
 */
export function generate() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const config = {
    schema: [here("hostile.ridl")],
    out: ".",
    language: "javascript",
    emit: ["server"],
  };
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(folder, "ridl.config.yaml"), JSON.stringify(config));
  const ridl = here("../../bin/ridl.js");
  runProcess([process.execPath, ridl, "generate"], folder);
  const buf = here("../node_modules/.bin/buf");
  runProcess([buf, "build", here("."), "-o", "image.binpb"], folder);
}
