import { format } from "prettier";
import { expect, test } from "vitest";
import { compileContract } from "../../generator/compile.js";
import { emit } from "../../schema/origins-emitter.js";

/** Returns the page about structs with the given origins. */
async function pageAbout(origins: Readonly<Record<string, string>>) {
  const structs = Object.entries(origins).map(
    ([name, origin]) => `# origin: ${origin}\nstruct ${name}\n  - id: string\n`,
  );
  const text = `webrpc = v1\nname = shop\n\n${structs.join("\n")}`;
  const { value } = compileContract(["a.ridl"], { read: () => text });
  if (value === null) throw new Error("the document does not compile");
  const files = emit(value, {
    int64: "number",
    timestamp: "string",
    runtime: "import",
    importExtension: ".js",
  });
  expect(files.map(({ path }) => path)).toEqual(["origins.md"]);
  const page = files[0]?.text ?? "";
  expect(page).toBe(await format(page, { filepath: "origins.md" }));
  return page;
}

test("lists inferred declarations before stated ones, and counts both", async () => {
  const page = await pageAbout({
    A: "stated 4.10; public paging",
    B: "stated 4.9; decided",
    C: "stated 4.9",
    D: "stated 4",
    E: "stated",
  });
  expect(page.split("\n").filter((line) => /^[#-]/u.test(line))).toEqual([
    "# Where the contract comes from",
    "- decided: 1",
    "- public: 1",
    "- stated: 5",
    // The host, and one field of each struct.
    "- no origin of its own: 6",
    "## Decided for this contract",
    "- `B`",
    "## From public sources",
    "- `A`: paging",
    "## From the interface document",
    "### No section given",
    "- `E`",
    "### 4",
    "- `D`",
    "### 4.9",
    "- `B`",
    "- `C`",
    "### 4.10",
    "- `A`",
  ]);
});

test("does not turn text from the schema into Markdown or HTML", async () => {
  const hostile = "<script>*x*</script> `a``b` [x](y) --> # \u001b[1m\u202e_";
  const page = await pageAbout({
    A: `decided ${hostile}`,
    B: `stated ${hostile}`,
  });
  const [, ...body] = page.split("\n");
  const markup = body.join("\n").replaceAll(/\\.|`[A-Z]`/gu, "");
  expect(markup).not.toMatch(/[*`[\]<]/u);
  expect(page).not.toMatch(/[^\n\P{C}]/u);
});
