import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { plant } from "../conformance/planted-faults/fault.js";
import { kotlinClient } from "../conformance/planted-faults/kotlin-client.js";
import { testClients } from "../conformance/planted-faults/test-clients.js";
import { contract, contractSkew } from "../conformance/served-contract.js";
import { writeSet } from "../write-set.js";
import { classPath, compile } from "./kotlin.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "ridlkit-faults-"));
const classes = join(work, "classes");

beforeAll(async () => {
  writeSet("kotlin", contract, work, "conformance", contractSkew.skew);
  const sources = [join(work, "kotlin"), join(here, "Driver.kt")];
  await compile(classes, sources);
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

// Compiling a file takes seconds.
testClients("Kotlin", here, kotlinClient, 40, async (fault) => {
  const folder = mkdtempSync(join(work, "fault-"));
  const file = join(work, "kotlin/ridl", fault.file);
  const faulty = join(folder, fault.file);
  const own = join(folder, "classes");
  mkdirSync(own);
  writeFileSync(faulty, plant(fault, readFileSync(file, "utf8")));
  // The file replaces its classes among those of the others.
  await compile(own, [faulty], [classes]);
  return `java -cp ${classPath(own, classes)} conformance.DriverKt`;
});
