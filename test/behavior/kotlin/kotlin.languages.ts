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
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Exceptions } from "../../../tools/conformance/exceptions.js";
import { isSample } from "../../support/draw-some.js";
import { goldenCases } from "../../support/golden-cases.js";
import { readContract } from "../conformance/load-contract.js";
import { faultsOfClient } from "../conformance/run-program.js";
import { contract, contractSkew } from "../conformance/served-contract.js";
import { runCommand } from "../run-command.js";
import { startMock } from "../start-mock.js";
import { writeSet } from "../write-set.js";
import { classPath, compile } from "./kotlin.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const here = fileURLToPath(new URL(".", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "ridlkit-kotlin-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** The cases that Kotlin does not pass, and why. */
const exceptions = JSON.parse(
  readFileSync(join(here, "exceptions.json"), "utf8"),
) as Exceptions;

describe("a client of the conformance contract", () => {
  const out = join(work, "cases-classes");
  beforeAll(async () => {
    const folder = join(work, "cases");
    writeSet("kotlin", contract, folder, "conformance", contractSkew.skew);
    const programs = ["Driver.kt", "Edges.kt"];
    await compile(out, [folder, ...programs.map((name) => join(here, name))]);
  });

  it("passes the cases of a client", async () => {
    const driver = `java -cp ${classPath(out)} conformance.DriverKt`;
    expect(await faultsOfClient(driver, here, exceptions)).toEqual([]);
  });

  it("passes the checks in Edges.kt", async () => {
    const args = ["-cp", classPath(out), "conformance.EdgesKt"];
    expect(await runCommand("java", args, work)).toBe("");
  });
});

it("the programs in docs/kotlin.md run", async () => {
  const folder = join(work, "docs");
  const programs = join(folder, "programs");
  const out = join(work, "docs-classes");
  mkdirSync(programs, { recursive: true });
  const page = readFileSync(join(root, "docs/kotlin.md"), "utf8");
  const blocks = [
    ...page.matchAll(/^```(?:kotlin|java|ridl) (\S+)\n(.*?)^```$/gmsu),
  ];
  const texts = blocks.map(([, name = "", text = ""]) => ({ name, text }));
  for (const { name, text } of texts) {
    writeFileSync(join(programs, name), text);
  }
  const mock = await startMock(programs, ["shop.ridl"]);
  try {
    for (const { name, text } of texts) {
      const own = text.replaceAll("http://localhost:8080", mock.url);
      writeFileSync(join(programs, name), own);
    }
    const shop = readContract(programs, "shop.ridl");
    writeSet("kotlin", shop, folder, "shop", undefined, "com.acme.shop");
    await compile(out, [join(folder, "kotlin"), join(programs, "Program.kt")]);
    const run = (name: string) =>
      runCommand("java", ["-cp", classPath(out), name], work);
    expect(await run("ProgramKt")).toMatch(/^Book\(isbn=/mu);
    const args = ["-cp", classPath(out), "-d", out];
    const java = join(programs, "Program.java");
    await runCommand("javac", ["-Werror", ...args, java], work);
    expect(await run("Program")).toMatch(/^GetBookResponse\(book=Book/u);
  } finally {
    mock.close();
  }
});

describe("Kotlin clients compile without warnings", () => {
  it("for contracts with odd names, and for golden contracts", async () => {
    const folder = join(work, "all");
    const write = (made: typeof contract, name: string) =>
      writeSet(
        "kotlin",
        made,
        join(folder, name),
        name,
        undefined,
        `all.${name}`,
      );
    write(readContract(here, "names.ridl"), "names");
    const cases = goldenCases()
      .filter(({ base }) => base === null)
      .filter(
        ({ name }, index) =>
          !isSample ||
          index % 6 === 0 ||
          /^(?:unions|error-bodies|pages)$/u.test(name),
      );
    for (const { contract: golden, name } of cases) {
      write(golden, `case${name.replaceAll("-", "")}`);
    }
    expect(await compile(join(work, "all-classes"), [folder])).toBe("");
  });
});
