import {
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { plant } from "../conformance/planted-faults/fault.js";
import { rustClient } from "../conformance/planted-faults/rust-client.js";
import { testClients } from "../conformance/planted-faults/test-clients.js";
import { buildDriver, writeDriver } from "./write-crates.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "ridlkit-rust-faults-"));

beforeAll(() => writeDriver(work));
afterAll(() => rmSync(work, { recursive: true, force: true }));

testClients("Rust", here, rustClient, 160, (fault) => {
  const file = join(work, "conformance/src/ridl", fault.file);
  const own = readFileSync(file, "utf8");
  writeFileSync(file, plant(fault, own));
  return buildDriver(work).finally(() => {
    // The next build compiles the file again, whose time is another one.
    writeFileSync(`${file}.new`, own);
    renameSync(`${file}.new`, file);
  });
});
