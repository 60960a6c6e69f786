import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseDocument } from "../../generator/1-parse/load/parse-document.js";
import { printDocument } from "../../generator/1-parse/print.js";
import { renderDiagnostics } from "../../generator/diagnostics/render.js";
import { updateDocuments } from "../../tools/import/merge/update-documents.js";
import { importOpenapi } from "../../tools/import/import-openapi.js";
import { checkDocuments } from "../support/check-documents.js";

/**
 * Each folder is a case: a document that was imported (`old.yaml`), the RIDL
 * that people made of it (`mine/`), a newer document (`new.yaml`), the RIDL
 * after it was imported (`expected/`), and conflicts (`expected.txt`).
 */
const root = join(import.meta.dirname, "again");
const isUpdating = process.env["UPDATE_GOLDEN"] === "1";

type Texts = ReadonlyMap<string, string>;

function importFile(name: string, file: string): Texts {
  const text = readFileSync(join(root, name, file), "utf8");
  const { documents } = importOpenapi(
    file,
    (path) => (path === file ? { text } : { fault: "it does not exist" }),
    "shop",
  );
  if (documents === null) throw new Error(`${name}/${file} cannot be imported`);
  return documents;
}

function readFolder(folder: string): Texts {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return new Map(
    names.map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
}

function update(
  base: Texts,
  current: Texts,
  incoming: Texts,
  isStrict = false,
) {
  const read = () => null;
  return updateDocuments({ base, current, incoming, read, isStrict });
}

function apply(
  current: Texts,
  changes: ReadonlyMap<string, string | null>,
): Texts {
  const texts = new Map(current);
  for (const [path, text] of changes) {
    if (text === null) texts.delete(path);
    else texts.set(path, text);
  }
  return texts;
}

function writeFolder(folder: string, texts: Texts): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of texts) writeFileSync(join(folder, path), text);
}

describe.each(readdirSync(root))("%s", (name) => {
  const base = importFile(name, "old.yaml");
  const incoming = importFile(name, "new.yaml");
  const current = readFolder(join(root, name, "mine"));
  const { changes, diagnostics } = update(base, current, incoming);
  const hasErrors = diagnostics.some(({ severity }) => severity === "error");
  const after = hasErrors ? current : apply(current, changes);

  test("keeps edits and reports conflicts", () => {
    const folder = join(root, name, "expected");
    const report = renderDiagnostics(diagnostics, { color: false });
    const text = report === "" ? "" : `${report}\n`;
    const file = join(root, name, "expected.txt");
    if (isUpdating) {
      writeFolder(folder, after);
      writeFileSync(file, text);
    }
    expect(after).toEqual(readFolder(folder));
    expect(text).toBe(readFileSync(file, "utf8"));
  });

  test("writes formatted RIDL that `ridl check` accepts", () => {
    const checked = checkDocuments([...after.keys()], {
      read: (path) => after.get(path) ?? null,
    });
    const errors = checked.diagnostics.filter(
      ({ severity }) => severity === "error",
    );
    expect(errors.map(({ message }) => message)).toEqual([]);
    for (const [path, text] of hasErrors ? [] : changes) {
      const document = parseDocument({ path, text: text ?? "" });
      if (text !== null) expect(printDocument(document.value)).toBe(text);
    }
  });

  test("changes nothing if the document did not change", () => {
    const nothing = { changes: new Map(), diagnostics: [] };
    expect(update(base, current, base)).toEqual(nothing);
    if (!hasErrors) expect(update(incoming, after, incoming)).toEqual(nothing);
  });

  test("reports the same conflicts as errors if it is strict", () => {
    const strict = update(base, current, incoming, true).diagnostics;
    expect(strict.map(({ message }) => message).sort()).toEqual(
      diagnostics.map(({ message }) => message).sort(),
    );
    expect(strict.every(({ severity }) => severity === "error")).toBe(true);
  });

  test("merges without edits into what a first import writes", () => {
    const { changes, diagnostics } = update(base, base, incoming);
    expect(diagnostics).toEqual([]);
    expect(apply(base, changes)).toEqual(incoming);
  });
});

describe("methods without an address of their own", () => {
  const head = "webrpc = v1\nname = shop\nversion = v1.0.0\n\n";
  const run = (base: string, current: string, incoming: string) => {
    const text = (body: string): Texts => new Map([["shop.ridl", head + body]]);
    const { changes, diagnostics } = update(
      text(base),
      text(current),
      text(incoming),
    );
    return {
      text: (changes.get("shop.ridl") ?? head + current).slice(head.length),
      messages: diagnostics.map(({ message }) => message),
    };
  };
  const order = (service: string, more = ""): string =>
    `service ${service}\n  - Order(isbn: string${more}) => ()\n`;

  test("keep their changes in a renamed service", () => {
    expect(
      run(order("App"), order("Shop"), order("App", ", note?: string")),
    ).toEqual({ text: order("Shop", ", note?: string"), messages: [] });
  });

  test("are reported if a person gave them another name", () => {
    const current = order("Shop").replace("Order", "Buy");
    expect(run(order("App"), current, order("App", ", note?: string"))).toEqual(
      {
        text: current,
        messages: ["`App.Order` was removed here and changed in the document"],
      },
    );
  });

  test("come back with a removed service if they are new", () => {
    const own = "service Own\n  - Ping()\n";
    const added = `${order("App")}\n  - Refund()\n`;
    expect(run(`${own}\n${order("App")}`, own, `${own}\n${added}`)).toEqual({
      text: `${own}\nservice App\n  - Refund()\n`,
      messages: [],
    });
  });
});
