import { expect, test } from "vitest";

import { printRows } from "../../admin/print-rows.js";
import { toPrintable } from "../../announce/to-printable.js";

test("prints a list in columns, with dashes for missing values", () => {
  const rows = [
    { id: 1, name: "A game" },
    { id: 12, error: "NotFound" },
  ];
  expect(printRows(rows).split("\n")).toEqual([
    "id  name    error",
    "1   A game  -",
    "12  -       NotFound",
  ]);
  expect(printRows([])).toBe("no entries");
});

test("pads the columns of a list to at most 72 characters, and shows longer values in full", () => {
  const rows = [
    { id: 1, details: { name: "x".repeat(500) }, outcome: "done" },
    { id: 2, details: { days: 30 }, outcome: "failed", error: "NotFound" },
    { id: 3, reason: "y".repeat(200), outcome: "done" },
  ];
  const [head = "", first = "", second, third = ""] =
    printRows(rows).split("\n");
  expect(head.split(/ +/u)).toEqual([
    ...["id", "outcome", "error", "reason", "details"],
  ]);
  const reason = "-".padEnd(72);
  expect(first).toBe(
    `1   done     -         ${reason}  {"name":"${"x".repeat(500)}"}`,
  );
  expect(second).toBe(`2   failed   NotFound  ${reason}  {"days":30}`);
  expect(third).toBe(`3   done     -         ${"y".repeat(200)}  -`);
});

test("shows control characters as escapes, also those in 8 bits", () => {
  const name = "\u001b]0;title\u0007 \u009b2J \u202eevil\u2066 👩‍💻";
  expect(printRows([{ name: `${name}\n2  forged` }])).toBe(
    "name\n" +
      "\\u001b]0;title\\u0007 \\u009b2J \\u202eevil\\u2066 👩‍💻\\u000a2  forged",
  );
  const json = toPrintable(JSON.stringify({ name }, null, 2));
  expect(JSON.parse(json)).toEqual({ name });
  expect(json).toMatch(/^\{\n[^\p{Cc}]*\n\}$/u);
  expect(toPrintable("a\r\nb\rc\n")).toBe("a\r\nb\\u000dc\n");
  expect(toPrintable(new Error(name))).not.toContain("\u009b");
});
