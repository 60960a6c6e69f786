import { expect, test } from "vitest";
import { defaultBreakingOptions } from "../../tools/breaking/index.js";
import { compareTexts } from "../diagnostics/check-texts.js";

const options = { ...defaultBreakingOptions, isStrict: true };

function contract(annotations: string): string {
  const method = "- SetPrice(id: uint32, cents: uint32)";
  const lines = annotations === "" ? [method] : [annotations, method];
  const head = "webrpc = v1\nname = shop\nversion = v1.0.0\n";
  return `${head}\nservice Shop\n  ${lines.join("\n  ")}\n`;
}

const key = "@idempotencyKey";
const optional = "@idempotencyKey:optional";

test.each([
  [`@idempotent ${optional}`, "@idempotent", [`no-weaken ${key}`]],
  [key, "@idempotent", [`no-weaken ${key}`, "no-strengthen @idempotent"]],
  [key, "", [`no-weaken ${key}`]],
  [`@idempotent ${optional}`, "", [`no-weaken @idempotent, ${key}`]],
  [`@idempotent ${optional}`, optional, ["no-weaken @idempotent"]],
  ["@readonly", `@idempotent ${optional}`, ["no-weaken @readonly"]],
  // A call that only reads undoes nothing.
  [key, "@readonly", ["no-strengthen @readonly"]],
  ["@idempotent", `@idempotent ${optional}`, [`no-strengthen ${key}`]],
  ["", optional, [`no-strengthen ${key}`]],
  [key, optional, []],
  ["@idempotent", "@idempotent", []],
])("%s, then %s", (before, after, expected) => {
  const found = compareTexts(contract(before), contract(after), options);
  const changes = found.map(({ code, message, notes = [] }) => {
    const rule = code.replace("method-safety-", "");
    const [effect] = notes;
    expect(effect).toMatch(
      rule === "no-weaken"
        ? /^breaks old clients of the new server/u
        : /^breaks new clients of an? old server/u,
    );
    return `${rule} ${[...message.matchAll(/@\w+/gu)].join(", ")}`;
  });
  expect(changes.sort()).toEqual(expected.toSorted());
});
