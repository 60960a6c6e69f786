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
import { goldenCases } from "../../support/golden-cases.js";
import { readContract } from "../conformance/load-contract.js";
import { readBlocks } from "../../readme/program.js";
import { faultsOfClient } from "../conformance/run-program.js";
import { errorBodyCases, errorBodyContract } from "../error-body-cases.js";
import { keysContract } from "../serve-keys.js";
import { restContract } from "../serve-rest.js";
import { oldContract, oldSkew } from "../serve-skew.js";
import {
  buildDriver,
  cargo,
  writeCrate,
  writeDriver,
  writeProgram,
  writeWorkspace,
} from "./write-crates.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const languages = join(here, "..");
const root = join(here, "../../..");
/** The cases that Rust does not pass, and why. */
const exceptions = JSON.parse(
  readFileSync(join(here, "exceptions.json"), "utf8"),
) as Exceptions;

const work = mkdtempSync(join(tmpdir(), "ridlkit-rust-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

it("passes the cases of a client", async () => {
  const folder = join(work, "driver");
  writeDriver(folder);
  const program = await buildDriver(folder);
  expect(await faultsOfClient(program, folder, exceptions)).toEqual([]);
});

it("sends and reads what the contract says in Rust", async () => {
  const folder = join(work, "features");
  mkdirSync(folder);
  const [pages] = goldenCases().filter(({ name }) => name === "pages");
  if (pages === undefined) throw new Error("no contract with pages");
  writeCrate(readContract(here, "features.ridl"), folder, "features");
  writeCrate(readContract(here, "amounts.ridl"), folder, "amounts");
  writeCrate(errorBodyContract, folder, "bodies");
  writeCrate(pages.contract, folder, "pages");
  const crates = ["features", "amounts", "bodies", "pages"];
  const read = (name: string) => readFileSync(join(here, name), "utf8");
  const tests = {
    "lib.rs":
      "#[cfg(test)]\nmod bodies_test;\n#[cfg(test)]\nmod edges_test;\n#[cfg(test)]\nmod features_test;\n",
    "edges_test.rs": read("edges.rs"),
    "bodies_test.rs": read("bodies.rs"),
    "features_test.rs": read("features.rs"),
  };
  writeProgram(folder, "tests", crates, tests);
  writeProgram(folder, "exact", crates, tests);
  // Any package of a program can choose how numbers are kept for all of them.
  const manifest = join(folder, "exact/Cargo.toml");
  writeFileSync(
    manifest,
    readFileSync(manifest, "utf8").replace(
      'serde_json = "1"',
      'serde_json = { version = "1", features = ["arbitrary_precision"] }',
    ),
  );
  writeWorkspace(folder);
  const cases = join(folder, "cases.json");
  writeFileSync(cases, JSON.stringify(await errorBodyCases()));
  for (const name of ["tests", "exact"]) {
    const args = ["test", "--quiet", "--package", name];
    expect(await cargo(folder, args, { CASES: cases })).toMatch(/\b0 failed/u);
  }
});

it("compiles the programs of the page about Rust", async () => {
  const folder = join(work, "page");
  mkdirSync(folder);
  const blocksOf = (page: string) => readBlocks(join(root, "docs", page));
  const shop = blocksOf("python.md").find(({ path }) => path === "shop.ridl");
  writeFileSync(join(work, "shop.ridl"), shop?.text ?? "");
  writeCrate(readContract(work, "shop.ridl"), folder, "acme_shop");
  const programs = blocksOf("rust.md").filter(
    ({ language }) => language === "rust",
  );
  const modules = programs.map(({ path }) => `pub mod ${path.slice(0, -3)};\n`);
  writeProgram(folder, "programs", ["acme_shop"], {
    "lib.rs": modules.sort().join(""),
    ...Object.fromEntries(programs.map(({ path, text }) => [path, text])),
  });
  writeWorkspace(folder);
  await cargo(folder, ["fmt", "--package", "programs", "--check"]);
  await cargo(folder, ["check", "--quiet", "--package", "programs"]);
});

describe("a crate of another contract", () => {
  const folder = join(work, "all");
  beforeAll(() => {
    mkdirSync(folder);
    writeCrate(readContract(here, "names.ridl"), folder, "names");
    writeCrate(readContract(languages, "unions.ridl"), folder, "unions");
    writeCrate(keysContract, folder, "keys");
    writeCrate(restContract, folder, "rest");
    writeCrate(errorBodyContract, folder, "bodies");
    writeCrate(oldContract, folder, "shop", oldSkew);
    writeCrate(readContract(here, "features.ridl"), folder, "features");
    for (const { base, contract: golden, name } of goldenCases()) {
      if (base === null && /hostile|names|nullable|structs/u.test(name))
        writeCrate(golden, folder, `case-${name}`);
    }
    writeWorkspace(folder);
  });

  it("is not changed by rustfmt", async () => {
    await cargo(folder, ["fmt", "--all", "--check"]);
  });

  it("has no lint, with its default features", async () => {
    const args = [
      "clippy",
      "--quiet",
      "--workspace",
      "--keep-going",
      "--",
      "--deny",
      "warnings",
    ];
    await cargo(folder, args);
  });

  it("can be a module of a program", async () => {
    const file = join(folder, "keys/src/lib.rs");
    const program = `#[path = ${JSON.stringify(file)}]\npub mod keys;\n`;
    writeProgram(folder, "outer", [], { "lib.rs": program });
    writeFileSync(
      join(folder, "outer/Cargo.toml"),
      readFileSync(join(folder, "keys/Cargo.toml"), "utf8").replace(
        /^name = .*$/mu,
        'name = "outer"',
      ),
    );
    writeWorkspace(folder);
    await cargo(folder, ["check", "--quiet", "--package", "outer"]);
  });
});

it("has no dependency of a transport without its features", async () => {
  const folder = join(work, "bare");
  mkdirSync(folder);
  writeCrate(keysContract, folder, "keys");
  writeWorkspace(folder);
  const args = ["tree", "--quiet", "--no-default-features", "-e", "normal"];
  const tree = await cargo(folder, args);
  expect(tree).toContain("serde_json");
  expect(tree).not.toMatch(/reqwest|tokio|rustls/u);
});
