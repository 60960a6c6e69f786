import { badRequest, invalid, type ServerCase, where } from "./case.js";

const nested = (levels: number): string =>
  "[".repeat(levels) + "]".repeat(levels);
const nestedObjects = (levels: number): string =>
  `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const tree = (levels: number): string =>
  `${'{"name":"a","next":'.repeat(levels)}{"name":"b"}${"}".repeat(levels)}`;
const points = (count: number, last: number): string =>
  `[${Array.from({ length: count }, (_, index) => `{"x":${String(index)}}`).join(",")},{"x":${String(last)}}]`;

function sized(
  title: string,
  method: string,
  value: string,
  answer: ServerCase["answer"],
): ServerCase {
  return {
    name: `sizes: ${title}`,
    path: `/rpc/${method}`,
    body: `{"value":${value}}`,
    answer,
  };
}

const ok = { status: 200, text: "{}" };
const tooDeep = badRequest("body is not JSON: expected at most 100 levels");
const body = "Sizes/Body";

/** Large inputs of all kinds. The server must answer each one quickly. */
export const sizes: readonly ServerCase[] = [
  ...where({ withinMs: 5000 }, [
    // The whole body has 1000 bytes, including the rest of the object.
    sized("a body as long as the limit", body, `"${"x".repeat(988)}"`, ok),
    sized(
      "a body one byte beyond the limit",
      body,
      `"${"x".repeat(989)}"`,
      badRequest("body larger than 1000 bytes", 413),
    ),
    sized(
      "a body whose characters take several bytes",
      body,
      `"${"é".repeat(495)}"`,
      badRequest("body larger than 1000 bytes", 413),
    ),
    sized(
      "a body of 2 MB",
      body,
      `"${"x".repeat(2_000_000)}"`,
      badRequest("body larger than 1000 bytes", 413),
    ),
    sized(
      "a body as long as the default limit",
      "Sizes/Length",
      `"${"x".repeat(1_048_564)}"`,
      {
        status: 200,
        text: '{"length":0}',
      },
    ),
    sized(
      "a body beyond the default limit",
      "Sizes/Length",
      `"${"x".repeat(1_048_565)}"`,
      badRequest("body larger than 1048576 bytes", 413),
    ),
    sized("lists of 99 levels", "Echo/Any", nested(99), {
      status: 200,
      text: `{"value":${nested(99)}}`,
    }),
    ...[100, 1000, 10_000, 100_000, 500_000].map((levels) =>
      sized(
        `lists of ${String(levels)} levels`,
        "Echo/Any",
        nested(levels),
        tooDeep,
      ),
    ),
    ...[100, 10_000, 100_000].map((levels) =>
      sized(
        `objects of ${String(levels)} levels`,
        "Echo/Any",
        nestedObjects(levels),
        tooDeep,
      ),
    ),
    ...[100, 10_000].map((levels) =>
      sized(
        `lists of ${String(levels)} levels beside a long integer`,
        "Echo/Any",
        `[18446744073709551616,${nested(levels)}]`,
        tooDeep,
      ),
    ),
    sized("lists that never close", "Echo/Any", "[".repeat(500_000), {
      status: 400,
      error: "WebrpcBadRequest",
      cause: "body is not JSON",
    }),
    sized("a tree of 97 levels", "Echo/Tree", tree(97), {
      status: 200,
      text: `{"value":${tree(97)}}`,
    }),
    sized("a tree of 20,000 levels", "Echo/Tree", tree(20_000), tooDeep),
    sized(
      "a list of 200,000 items",
      "Sizes/Length",
      `[${"0,".repeat(199_999)}0]`,
      {
        status: 200,
        text: '{"length":200000}',
      },
    ),
    sized("8,000 objects that differ", "Echo/Points", points(8000, 9000), {
      status: 200,
      text: `{"value":${points(8000, 9000)}}`,
    }),
    sized(
      "8,000 objects of which two are equal",
      "Echo/Points",
      points(8000, 0),
      invalid("value: expected a list without duplicates"),
    ),
    sized(
      "a list with only invalid items",
      "Echo/Texts",
      `[${"0,".repeat(200_000)}0]`,
      invalid("value[0]: expected a string, got 0; value[1]: "),
    ),
    sized(
      "a map with only invalid entries",
      "Echo/ByText",
      `{${Array.from({ length: 50_000 }, (_, index) => `"k${String(index)}":0`).join(",")}}`,
      invalid("value.k0: expected a string, got 0; value.k1: "),
    ),
    sized(
      "a number of 500,000 digits",
      "Echo/Int64",
      "9".repeat(500_000),
      invalid("value: expected "),
    ),
    sized(
      "a fraction of 500,000 digits",
      "Echo/Uint8",
      `0.${"3".repeat(500_000)}`,
      invalid("value: expected "),
    ),
    sized(
      "a bigint of 500,000 digits",
      "Echo/Bigint",
      `"${"9".repeat(500_000)}"`,
      invalid("value: expected "),
    ),
    sized(
      "an exponent of 500,000 digits",
      "Echo/Float64",
      `1e${"9".repeat(500_000)}`,
      invalid("value: expected a number"),
    ),
    sized(
      "hex digits with an invalid end",
      "Echo/Hex",
      `"0x${"a".repeat(900_000)}!"`,
      invalid("value: expected hex digits, got "),
    ),
    sized(
      "base64 with an invalid end",
      "Echo/Bytes",
      `"${"A".repeat(900_000)}!"`,
      invalid("value: expected base64 text, got "),
    ),
    sized("150,000 escapes", "Sizes/Length", `"${"\\u0041".repeat(150_000)}"`, {
      status: 200,
      text: '{"length":0}',
    }),
    {
      name: "sizes: 60,000 unknown fields",
      path: "/rpc/Echo/Uint8",
      body: `{${Array.from({ length: 60_000 }, (_, index) => `"k${String(index)}":0`).join(",")},"value":1}`,
      answer: { status: 200, text: '{"value":1}' },
    },
    {
      name: "sizes: a method name of 4,000 letters",
      path: `/rpc/Echo/${"x".repeat(4000)}`,
      answer: { status: 404, error: "WebrpcBadRoute" },
    },
  ]),
];
