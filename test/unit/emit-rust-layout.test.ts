import { expect, it } from "vitest";
import { layOutRust } from "../../generator/4-emit/rust/lay-out.js";

const long =
  "a long text => with two arrows => and more characters than a line,".padEnd(
    100,
    "x",
  );

it("leaves comments as they are", () => {
  const comment = `    /// ${long} => fn code() {},`;
  expect(layOutRust(comment)).toBe(comment);
});

it("breaks arms after their own arrows", () => {
  expect(layOutRust(`    Self::X => "${long}\\" => ",`)).toBe(
    `    Self::X => {\n        "${long}\\" => "\n    }`,
  );
  expect(layOutRust(`    "${long}" => Self::X,`)).toBe(
    `    "${long}" => {\n        Self::X\n    }`,
  );
});
