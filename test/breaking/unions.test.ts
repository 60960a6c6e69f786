import { describe, expect, test } from "vitest";
import { defaultBreakingOptions } from "../../tools/breaking/index.js";
import { compareTexts } from "../diagnostics/check-texts.js";

const head = "webrpc = v1\nname = shop\nversion = v1.0.0\n\n";
const options = { ...defaultBreakingOptions, isStrict: true };

const structs = `struct Card
  - kind: string
    + enum = card|debit
  - number: string

struct Cash
  - kind: string
    + enum = cash
  - amount: int32

struct Voucher
  - kind: string
    + enum = voucher
  - code: string
`;

/** A contract whose type \`Payment\` is in a message. */
function contract(declarations: string, method: string): string {
  return `${head}${declarations}\nservice Shop\n  ${method}\n`;
}

const requests = "- Pay(payment: Payment)";
const responses = "- Get() => (payment: Payment)";
const webhooks = "@webhook\n  - Paid(payment: Payment)";

function union(variants: string, more = "  + tag = kind\n"): string {
  return `${structs}\ntype Payment: any\n  + oneOf = ${variants}\n${more}`;
}

/** Returns what each finding affects on the wire, e.g. `breaks old`. */
function compare(
  before: string,
  after: string,
  method: string,
): readonly string[] {
  const found = compareTexts(
    contract(before, method),
    contract(after, method),
    options,
  );
  return found.flatMap(({ code, notes = [] }) => {
    const effects = notes.flatMap((note) => {
      const [, verb = "", list = ""] =
        /^(breaks|may break) (.*)$/u.exec(note) ?? [];
      const old = /old (?:clients|receivers)/u.test(list) ? "old" : "";
      const recent = /new (?:clients|receivers)/u.test(list) ? "new" : "";
      const who = [old, recent].filter((word) => word !== "").join(" and ");
      return who === "" ? [] : `${verb} ${who}`;
    });
    return effects.length === 0 ? [] : [`${code}: ${effects.join(", ")}`];
  });
}

const open = "  + tag = kind\n  + open = true\n";
const both = union("Card|Cash");
const three = union("Card|Cash|Voucher");

describe("ridl breaking", () => {
  test.each([
    {
      change: "a variant was added",
      before: both,
      after: three,
      request: ["union-variant-added: breaks new"],
      response: ["union-variant-added: may break old"],
      webhook: ["union-variant-added: breaks old"],
    },
    {
      change: "a variant was removed",
      before: three,
      after: both,
      request: ["union-variant-no-delete: breaks old"],
      response: ["union-variant-no-delete: may break new"],
      webhook: ["union-variant-no-delete: breaks new"],
    },
    {
      change: "a variant was added to an open union",
      before: union("Card|Cash", open),
      after: union("Card|Cash|Voucher", open),
      request: ["union-variant-added: may break new"],
      response: [],
      webhook: [],
    },
    {
      change: "a tag was added to a variant",
      before: both.replace("card|debit", "card"),
      after: both,
      request: ["union-variant-added: breaks new"],
      response: ["union-variant-added: may break old"],
      webhook: ["union-variant-added: breaks old"],
    },
    {
      change: "a tag was moved to another variant",
      before: both,
      after: both
        .replace("card|debit", "card")
        .replace("enum = cash", "enum = cash|debit"),
      request: [
        "request-field-no-delete: breaks new, may break old",
        "request-field-no-add-required: breaks old, may break new",
        "union-same-variant: may break old",
        "union-same-variant: may break new",
      ],
      response: [
        "response-field-no-delete: breaks old",
        "response-field-add-required: breaks new",
        "union-same-variant: may break old",
        "union-same-variant: may break new",
      ],
      webhook: [
        "response-field-no-delete: breaks old",
        "response-field-add-required: breaks new",
        "union-same-variant: may break old",
        "union-same-variant: may break new",
      ],
    },
    {
      change: "the type of a variant's field changed",
      before: both,
      after: both.replace("amount: int32", "amount: string"),
      request: ["field-same-json-kind: breaks old and new"],
      response: ["field-same-json-kind: breaks old and new"],
      webhook: ["field-same-json-kind: breaks old and new"],
    },
    {
      change: "the union was opened",
      before: both,
      after: union("Card|Cash", open),
      request: ["union-no-open: breaks new"],
      response: ["union-no-open: may break old"],
      webhook: ["union-no-open: breaks old"],
    },
    {
      change: "the union was closed",
      before: union("Card|Cash", open),
      after: both,
      request: ["union-no-close: breaks old"],
      response: ["union-no-close: may break new"],
      webhook: ["union-no-close: breaks new"],
    },
    {
      change: "the tag was removed, but required fields differ",
      before: both,
      after: union("Card|Cash", ""),
      request: [],
      response: [],
      webhook: [],
    },
    {
      change: "the order of the variants changed",
      before: union("Card|Cash|int32|[]Card", ""),
      after: union("[]Card|int32|Cash|Card", ""),
      request: [],
      response: [],
      webhook: [],
    },
    {
      change: "a struct became a union that contains it",
      before: `${structs}\ntype Payment: Cash\n`,
      after: both,
      request: ["union-variant-added: breaks new"],
      response: ["union-variant-added: breaks old"],
      webhook: ["union-variant-added: breaks old"],
    },
    {
      change: "a union became one of its types",
      before: union("string|int32", ""),
      after: `${structs}\ntype Payment: string\n`,
      request: ["union-variant-no-delete: breaks old"],
      response: ["union-variant-no-delete: breaks new"],
      webhook: ["union-variant-no-delete: breaks new"],
    },
    {
      change: "a union became `any`",
      before: both,
      after: `${structs}\ntype Payment: any\n`,
      request: ["field-same-type: breaks new"],
      response: ["field-same-type: breaks old"],
      webhook: ["field-same-type: breaks old"],
    },
    {
      change: "a variant was renamed",
      before: both,
      after: both.replaceAll("Cash", "Coins"),
      request: [],
      response: [],
      webhook: [],
    },
    {
      change: "a limit of a variant became tighter",
      before: `type Short: string\n  + maxLength = 9\n\n${union("Short|int32", "")}`,
      after: `type Short: string\n  + maxLength = 5\n\n${union("Short|int32", "")}`,
      request: ["constraint-request-no-tighten: breaks old"],
      response: ["constraint-response-no-tighten: may break new"],
      webhook: ["constraint-response-no-tighten: breaks new"],
    },
  ])(
    "reports for each direction that $change",
    ({ before, after, request, response, webhook }) => {
      expect(compare(before, after, requests).toSorted()).toEqual(
        request.toSorted(),
      );
      expect(compare(before, after, responses).toSorted()).toEqual(
        response.toSorted(),
      );
      expect(compare(before, after, webhooks).toSorted()).toEqual(
        webhook.toSorted(),
      );
    },
  );

  test("locates a change of a struct whose fields are a choice", () => {
    const payment = (type: string): string =>
      `struct Payment\n  - card?: string\n    + choice = method\n  - iban?: ${type}\n    + choice = method\n`;
    const [found, ...others] = compareTexts(
      contract(payment("string"), requests),
      contract(payment("int32"), requests),
    );
    expect(others).toEqual([]);
    const { location, notes } = found ?? {};
    expect(location?.source.text.slice(location.span.start)).toMatch(
      /^iban\?: int32/u,
    );
    expect(notes).toContain(
      "found in the request of `Shop.Pay`, `payment(PaymentIban).iban`",
    );
  });

  test("compares unions that contain themselves", () => {
    const tree = (variants: string): string =>
      `type Payment: any\n  + oneOf = ${variants}\n`;
    expect(
      compare(
        tree("string|[]Payment|map<string,Payment>"),
        tree("string|[]Payment"),
        requests,
      ),
    ).toEqual(["union-variant-no-delete: breaks old"]);
  });
});
