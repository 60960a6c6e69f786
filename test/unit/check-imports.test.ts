import { describe, expect, test } from "vitest";
import {
  joinImportPath,
  normalizePath,
} from "../../generator/1-parse/load/import-path.js";
import type { CheckedContract } from "../../generator/2-check/index.js";
import { checkDocuments } from "../support/check-documents.js";

/** Checks documents given as text, and records which ones are read. */
function check(texts: Record<string, string>, entries: readonly string[]) {
  const reads: string[] = [];
  const outcome = checkDocuments(entries, {
    read(path) {
      reads.push(path);
      return texts[path] ?? null;
    },
  });
  return { ...outcome, reads };
}

function expectClean(
  texts: Record<string, string>,
  ...entries: readonly string[]
): CheckedContract {
  const { value, diagnostics } = check(texts, entries);
  expect(diagnostics).toEqual([]);
  return value;
}

function expectCodes(
  texts: Record<string, string>,
  entries: readonly string[],
): readonly string[] {
  return check(texts, entries).diagnostics.map(({ code }) => code);
}

function namesOf(
  items: readonly { readonly syntax: { readonly name: { text: string } } }[],
): readonly string[] {
  return items.map(({ syntax }) => syntax.name.text);
}

const HEAD = "webrpc = v1\nversion = v1\n";

describe("paths", () => {
  test.each([
    ["schema/api.ridl", "common.ridl", "schema/common.ridl"],
    ["schema/api.ridl", "./common.ridl", "schema/common.ridl"],
    ["schema/api.ridl", "../shared/common.ridl", "shared/common.ridl"],
    ["schema/api.ridl", "/common.ridl", "schema/common.ridl"],
    ["api.ridl", "../common.ridl", "../common.ridl"],
    ["../api.ridl", "../common.ridl", "../../common.ridl"],
    ["/home/api.ridl", "../../common.ridl", "/common.ridl"],
    ["api.ridl", "a//b/./c.ridl", "a/b/c.ridl"],
  ])("%s imports %s: %s", (importer, path, expected) => {
    expect(joinImportPath(importer, path)).toBe(expected);
  });

  test("the path of an entry is normalized", () => {
    expect(normalizePath("./schema/../schema//api.ridl")).toBe(
      "schema/api.ridl",
    );
  });
});

describe("reads of documents", () => {
  test("reads a document only once if it is imported twice", () => {
    const texts = {
      "api.ridl": `${HEAD}import\n- left.ridl\n- right.ridl\n`,
      "left.ridl": `${HEAD}import base.ridl\nstruct Left\n`,
      "right.ridl": `${HEAD}import "./base.ridl"\nstruct Right\n`,
      "base.ridl": `${HEAD}struct Base\nerror 1 Broken "broken"\nservice Health\n- Check()\n`,
    };
    const { value, diagnostics, reads } = check(texts, ["api.ridl"]);
    expect(diagnostics).toEqual([]);
    expect(reads).toEqual(["api.ridl", "left.ridl", "right.ridl", "base.ridl"]);
    expect(namesOf(value.types)).toEqual(["Base", "Left", "Right"]);
    expect(namesOf(value.errors)).toEqual(["Broken"]);
    expect(namesOf(value.hosts[0]?.services ?? [])).toEqual(["Health"]);
  });

  test("reads an entry only once if it is given twice", () => {
    const value = expectClean(
      { "api.ridl": `${HEAD}struct A\n` },
      "api.ridl",
      "./api.ridl",
    );
    expect(value.hosts.map(({ name }) => name)).toEqual(["api"]);
  });

  test("reads a missing document only once, and hides the errors that result", () => {
    const texts = {
      "api.ridl": `${HEAD}import gone.ridl\nstruct A\n- b: Gone\nservice S\n- M() errors Lost\n`,
      "other.ridl": `${HEAD}import gone.ridl\nstruct B\n- b: Gone\n`,
    };
    const { diagnostics, reads } = check(texts, ["api.ridl", "other.ridl"]);
    expect(diagnostics.map(({ code }) => code)).toEqual([
      "missing-file",
      "missing-file",
    ]);
    expect(reads.filter((path) => path === "gone.ridl")).toHaveLength(1);
  });

  test("reports a missing entry without a location", () => {
    const { diagnostics, value } = check({}, ["gone.ridl"]);
    expect(diagnostics).toEqual([
      {
        code: "missing-file",
        severity: "error",
        message: "`gone.ridl` does not exist",
      },
    ]);
    expect(value.hosts).toEqual([]);
  });

  test.each(["", ".", "../", "/"])(
    "does not read a folder as a document: %j",
    (path) => {
      const texts = { "api.ridl": `${HEAD}import "${path}"\n` };
      const { diagnostics, reads } = check(texts, ["api.ridl"]);
      expect(diagnostics.map(({ code }) => code)).toEqual(["missing-file"]);
      expect(reads).toEqual(["api.ridl"]);
    },
  );

  test("does not let an imported document use types of the importing document", () => {
    const texts = {
      "api.ridl": `${HEAD}import common.ridl\nstruct Mine\n`,
      "common.ridl": `${HEAD}struct Theirs\n- mine: Mine\n`,
    };
    expect(expectCodes(texts, ["api.ridl"])).toEqual(["unknown-type"]);
  });

  test("reads a long chain of imports safely", () => {
    const count = 2000;
    const texts = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `d${index}.ridl`,
        index + 1 < count
          ? `webrpc = v1\nimport d${index + 1}.ridl\n`
          : `webrpc = v1\nstruct Last\n`,
      ]),
    );
    const value = expectClean(texts, "d0.ridl");
    expect(namesOf(value.types)).toEqual(["Last"]);
  });
});

describe("cycles", () => {
  test("show their chain, starting with the first document in the cycle", () => {
    const texts = {
      "a.ridl": `${HEAD}import b.ridl\n`,
      "b.ridl": `${HEAD}import c.ridl\n`,
      "c.ridl": `${HEAD}import b.ridl\n`,
    };
    const { diagnostics } = check(texts, ["a.ridl"]);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "imports form a cycle: `b.ridl` → `c.ridl` → `b.ridl`",
    ]);
    expect(diagnostics[0]?.location?.source.path).toBe("c.ridl");
  });
});

describe("imports with a list of names", () => {
  const common = `${HEAD}
struct User
  - kind: Kind
enum Kind: uint32
  - ADMIN
struct Other
error 1 Broken "broken"
error 2 Lost "lost"
service Health
  - Check() errors Lost
`;

  test("import only the listed names and the names that they need", () => {
    const value = expectClean(
      {
        "api.ridl": `${HEAD}import common.ridl\n- User\n- Broken\n`,
        "common.ridl": common,
      },
      "api.ridl",
    );
    expect(namesOf(value.types)).toEqual(["User", "Kind"]);
    expect(namesOf(value.errors)).toEqual(["Broken"]);
    expect(value.hosts[0]?.services).toEqual([]);
  });

  test("import a service's methods together with their errors", () => {
    const value = expectClean(
      {
        "api.ridl": `${HEAD}import common.ridl\n- Health\n`,
        "common.ridl": common,
      },
      "api.ridl",
    );
    expect(namesOf(value.errors)).toEqual(["Lost"]);
    expect(namesOf(value.hosts[0]?.services ?? [])).toEqual(["Health"]);
  });

  test("hide unlisted names", () => {
    const texts = {
      "api.ridl": `${HEAD}import common.ridl\n- User\nstruct A\n- b: Kind\n`,
      "common.ridl": common,
    };
    expect(expectCodes(texts, ["api.ridl"])).toEqual(["unknown-type"]);
  });

  test("allow another declaration of an unlisted name", () => {
    const value = expectClean(
      {
        "api.ridl": `${HEAD}import common.ridl\n- User\nstruct Other\n`,
        "common.ridl": common,
      },
      "api.ridl",
    );
    expect(namesOf(value.types)).toEqual(["User", "Kind", "Other"]);
  });

  test("forbid another declaration of a name that a listed one needs", () => {
    const texts = {
      "api.ridl": `${HEAD}import common.ridl\n- User\nstruct Kind\n`,
      "common.ridl": common,
    };
    expect(expectCodes(texts, ["api.ridl"])).toEqual(["duplicate-type"]);
  });
});

describe("hosts", () => {
  test("do not include entries without services", () => {
    const value = expectClean(
      {
        "a.ridl": `${HEAD}service A\n- M()\n`,
        "common.ridl": `${HEAD}struct Shared\n`,
      },
      "common.ridl",
      "a.ridl",
    );
    expect(value.hosts.map(({ name }) => name)).toEqual(["a"]);
    expect(namesOf(value.types)).toEqual(["Shared"]);
  });

  test("do not include imported entries without services", () => {
    const value = expectClean(
      {
        "a.ridl": `${HEAD}import common.ridl\nservice A\n- M()\n`,
        "common.ridl": `${HEAD}struct Shared\n`,
      },
      "common.ridl",
      "a.ridl",
    );
    expect(value.hosts.map(({ name }) => name)).toEqual(["a"]);
    expect(namesOf(value.types)).toEqual(["Shared"]);
  });

  test("are named after their header, or else after their file", () => {
    const value = expectClean(
      {
        "x/one.v1.ridl": `${HEAD}struct A\n`,
        "x/two.ridl": `${HEAD}name = second\n`,
      },
      "x/one.v1.ridl",
      "x/two.ridl",
    );
    expect(value.hosts.map(({ name }) => name)).toEqual(["one.v1", "second"]);
  });

  test("may declare the same error separately", () => {
    const value = expectClean(
      {
        "a.ridl": `${HEAD}error 1 Same "same"\n`,
        "b.ridl": `${HEAD}error 1 Same "same" HTTP 400\n`,
      },
      "a.ridl",
      "b.ridl",
    );
    expect(value.errors).toHaveLength(2);
  });
});

test("shows all mistakes in a file in one run", () => {
  const text = `webrpc = v1
struct user
  - a: Strng
  - a: string
    + maximum = 1
service S
  - M() errors Nope
`;
  expect(expectCodes({ "api.ridl": text }, ["api.ridl"])).toEqual([
    "invalid-type-name",
    "unknown-type",
    "duplicate-field",
    "misplaced-constraint",
    "missing-version",
    "unknown-error",
  ]);
});

describe("documents that were not written for ridlkit", () => {
  test("cause no findings about their annotations, keys, and comments", () => {
    expectClean(
      {
        "api.ridl": `${HEAD}
# origin: https://example.com
struct User
  - id: uint64
    + validate = "required"
    + go.tag.jso = id

service S
  @author:me @set @gen @get @acl:"a,b" @public
  - M(id: uint64) => (ok: bool)
`,
      },
      "api.ridl",
    );
  });
});
