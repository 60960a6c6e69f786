import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { languageContract as contract } from "../conformance/served-contract.js";
import { readExample } from "../../examples/read-example.js";
import { isSample } from "../../support/draw-some.js";
import { goldenCases } from "../../support/golden-cases.js";
import { runCommand } from "../run-command.js";
import { serveCases } from "../serve-cases.js";
import { writeSet } from "../write-set.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "ridlkit-kotlin-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const { set } = readExample("kotlin");

/** Where `scripts/test-long/languages.js` puts what `pom.xml` lists. */
const jars = fileURLToPath(new URL("../.work/kotlin", import.meta.url));

/** Returns a class path with the jars whose names begin with one of these. */
function classPath(...prefixes: readonly string[]): string {
  return readdirSync(jars)
    .filter((name) => prefixes.some((prefix) => name.startsWith(prefix)))
    .map((name) => join(jars, name))
    .join(delimiter);
}
const libraries = ["kotlin-stdlib", "kotlinx-"];

/** Compiles files and folders. Returns the messages of the compiler. */
function compile(out: string, ...sources: readonly string[]): Promise<string> {
  const plugin = classPath("kotlin-serialization-compiler-plugin");
  return runCommand(
    "java",
    [
      ...["-cp", classPath(""), "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"],
      ...["-no-stdlib", "-no-reflect", "-jvm-target", "17", "-Werror"],
      ...[`-Xplugin=${plugin}`, "-cp", classPath(...libraries)],
      ...["-d", out, ...sources],
    ],
    work,
  );
}

describe("a Kotlin client of the conformance contract", () => {
  it("passes the cases", async () => {
    const folder = join(work, "conformance");
    writeSet(set, contract, folder, "conformance");
    const out = join(work, "conformance-classes");
    await compile(out, folder, join(here, "Main.kt"));
    const { close, env: addresses } = await serveCases();
    const env = { ...addresses, EXCEPTIONS: join(here, "exceptions.json") };
    const path = [out, classPath(...libraries)].join(delimiter);
    try {
      const text = await runCommand("java", ["-cp", path, "MainKt"], work, env);
      expect(text).toMatch(/^0 failures$/mu);
    } finally {
      await close();
    }
  });
});

it("Kotlin clients of golden contracts compile", async () => {
  const folder = join(work, "golden");
  const cases = goldenCases()
    .filter(({ base }) => base === null)
    .filter((_, index) => !isSample || index % 3 === 0);
  for (const { contract: golden, name } of cases) {
    writeSet(set, golden, folder, `case-${name}`);
  }
  expect(await compile(join(work, "golden-classes"), folder)).toBe("");
});
