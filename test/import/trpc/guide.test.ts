import { readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "../../cli/support/sandbox.js";

const page = readFileSync(resolve("docs/guides/from-trpc.md"), "utf8");

function readBlock(name: string): string {
  const found = page
    .split(`${name}\n`)
    .find(
      (part, index) => index > 0 && /^\S/u.test(part) && part.includes("```"),
    );
  return found?.split("```")[0] ?? "";
}

test("the guide's contract has the types that the import of its router has", async () => {
  const sandbox = createSandbox({
    "package.json": '{ "type": "module" }\n',
    "books.ts": readBlock("ts books.ts"),
    "router.ts": readBlock("ts router.ts"),
  });
  const link = join(sandbox.root, "node_modules");
  symlinkSync(resolve("node_modules"), link, "junction");
  const made = await sandbox.run(["import", "trpc", "router.ts"]);
  expect(made.exitCode).toBe(0);
  const ridl = sandbox.read("router.ridl");
  const contract = readBlock("ridl schema/shop.ridl");
  const declarations = ridl
    .split("\n\n")
    .filter((text) => /^(?:type|struct|enum) /u.test(text));
  const names = declarations.map((text) => /^\w+ (\w+)/u.exec(text)?.[1]);
  expect(names).toEqual([
    "Isbn",
    "Book",
    "Payment",
    "CardPayment",
    "InvoicePayment",
    "Count",
  ]);
  // `number` has no counterpart for whole numbers, so these are made smaller.
  for (const text of declarations) {
    const precise = text
      .replace("type Count: int\n", "type Count: uint32\n")
      .replace("copies: float64", "copies: uint32")
      .split("\n\nservice")[0];
    expect(contract).toContain(precise);
  }
  expect(ridl).toContain("- GetBook(isbn: Isbn) => (book: Book)");
  expect(ridl).toContain("=> (left: float64, receipt: string)");
  expect(ridl).toContain("- Order(isbn: Isbn, count: Count, payment: Payment)");
});
