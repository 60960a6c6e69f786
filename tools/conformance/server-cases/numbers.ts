import { echoes, refuses, type ServerCase, where } from "./case.js";

const category = "numbers";

/** Integers at both limits of a type and just beyond them. */
function integers(
  method: string,
  title: string,
  least: bigint,
  greatest: bigint,
): ServerCase[] {
  return [
    ...echoes(category, method, `${least}`, "1", `${greatest}`),
    ...refuses(category, method, `value: expected ${title}`, `${least - 1n}`),
    ...refuses(
      category,
      method,
      `value: expected ${title}`,
      `${greatest + 1n}`,
    ),
    // The value matters, not its notation.
    ...echoes(category, method, ["1.0", "1"], ["1e2", "100"], ["10E-1", "1"]),
    ...echoes(category, method, ["-0", "0"], ["0.0", "0"]),
    ...refuses(category, method, `value: expected ${title}`, "1.5", "1e-1"),
    ...refuses(category, method, `value: expected ${title}`, '"1"', "true"),
    ...refuses(category, method, `value: expected ${title}`, "1e400", "-1e400"),
    ...refuses(
      category,
      method,
      `value: expected ${title}`,
      `1${"0".repeat(40)}`,
    ),
  ];
}

const max53 = 2n ** 53n - 1n;

/** Numbers at the limits of every type. */
export const numbers: readonly ServerCase[] = [
  ...integers("Byte", "an unsigned 8-bit integer", 0n, 255n),
  ...integers("Uint8", "an unsigned 8-bit integer", 0n, 255n),
  ...integers("Uint16", "an unsigned 16-bit integer", 0n, 65_535n),
  ...integers("Uint32", "an unsigned 32-bit integer", 0n, 2n ** 32n - 1n),
  ...integers("Int8", "an 8-bit integer", -128n, 127n),
  ...integers("Int16", "a 16-bit integer", -32_768n, 32_767n),
  ...integers("Int32", "a 32-bit integer", -(2n ** 31n), 2n ** 31n - 1n),
  ...integers("Uint", "an unsigned integer", 0n, max53),
  ...integers("Int", "an integer", -max53, max53),
  ...integers("Safe", "an integer from ", -max53, max53),
  ...where({ int64: "number" }, [
    ...integers("Uint64", "an unsigned integer", 0n, max53),
    ...integers("Int64", "an integer", -max53, max53),
  ]),
  ...where({ int64: "bigint" }, [
    ...integers("Uint64", "an unsigned integer", 0n, 2n ** 64n - 1n),
    ...integers("Int64", "an integer", -(2n ** 63n), 2n ** 63n - 1n),
    ...echoes(category, "Uint64", "9007199254740993", "9007199254740992"),
    // The sender may have rounded the value, so the intended value is unknown.
    ...refuses(
      category,
      "Uint64",
      "value: expected ",
      "1e19",
      "9007199254740993.0",
    ),
  ]),
  ...["Float32", "Float64"].flatMap((method) => [
    ...echoes(category, method, "0", "1", "-1.5", "1e+21", "5e-324"),
    ...echoes(category, method, "1.7976931348623157e+308", ["1E2", "100"]),
    ...echoes(category, method, ["-0", "0"], ["1e-400", "0"]),
    ...refuses(
      category,
      method,
      "value: expected a number, got ",
      '"1"',
      '"NaN"',
    ),
    ...refuses(
      category,
      method,
      "value: expected a number, got ",
      "[1]",
      "true",
    ),
    ...refuses(category, method, "value: expected a number", "1e400", "-1e309"),
  ]),
  // A float can be any number, even if it is written as a large integer.
  ...echoes(category, "Float64", [
    "18446744073709551616",
    "18446744073709552000",
  ]),
  ...echoes(category, "Bigint", '"0"', '"-1"', '"115792089237316195423570985"'),
  ...echoes(category, "Bigint", [`"-0"`, `"0"`], ['"007"', '"7"']),
  ...echoes(category, "Bigint", `"${"9".repeat(1000)}"`),
  ...refuses(
    category,
    "Bigint",
    "value: expected a string that represents an integer",
    "1",
    '""',
    '"+1"',
    '" 1"',
    '"1 "',
    '"1.0"',
    '"1e2"',
    '"0x10"',
    '"1_000"',
    '"1,000"',
    '"-"',
    '"--1"',
    '"١"',
    '"1n"',
    `"${"9".repeat(1001)}"`,
  ),
  // If no field requires exact integers, `JSON.parse` reads the numbers.
  ...echoes(category, "Any", ["9007199254740993", "9007199254740992"]),
  ...echoes(category, "Any", ["1.0", "1"], "0.1", "1e+100"),
  ...["NaN", "Infinity", "-Infinity", "+1", ".5", "1.", "01", "0x1", "1_0"].map(
    (text): ServerCase => ({
      name: `numbers: ${text} is not JSON`,
      path: "/rpc/Echo/Float64",
      body: `{"value":${text}}`,
      answer: {
        status: 400,
        error: "WebrpcBadRequest",
        cause: "body is not JSON",
      },
    }),
  ),
];
