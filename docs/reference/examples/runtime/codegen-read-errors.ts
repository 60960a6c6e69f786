// Reads errors with [their data](../../errors.md#errors-with-data) or [their own body](../../errors.md#bodies-of-errors). Generated methods with such errors use it.
import { createClient, rpc } from "@ridlkit/runtime/codegen/create-client";
import {
  errorHeaders,
  readErrorBodies,
  readErrorBodiesExactly,
  readEnvelope,
  readErrors,
  readErrorsExactly,
} from "@ridlkit/runtime/codegen/read-errors";
import { isRecord, isUint32, type Report } from "@ridlkit/runtime/validation";

function checkStock(value: unknown, report: Report): void {
  if (!isRecord(value)) return report.fail("an object", value);
  if (!isUint32(value["left"]))
    report.failAt("left", "an unsigned 32-bit integer", value["left"]);
}

const envelope = {
  error: "SoldOut",
  code: 1409,
  msg: "sold out",
  data: { left: 3 },
};
const readers = { SoldOut: { check: checkStock, read: Object } };
console.log(readErrors(readers)(envelope, 409)); // SoldOut, with its data
console.log(readErrorsExactly(readers)(envelope, 409)); // the same
console.log(readEnvelope(envelope, 409)); // the same, without its data

// A body in place of an envelope, whose member `text` is the message.
const members = [{ path: ["text"], role: "message" }] as const;
const body = { check: checkStock, members };
const errors = { SoldOut: [1409, 409] } as const;
const sent = { text: "sold out", left: 3 };
const text = JSON.stringify(sent);
console.log(readErrorBodies(body, errors)(sent, 409, text)); // SoldOut
console.log(readErrorBodiesExactly(body, errors)(sent, 409, text)); // the same

// Data with a field in a header of the response.
const inHeaders = {
  SoldOut: {
    check: checkStock,
    headers: { "x-left": ["left", "json"] },
  },
} as const;
const calls = createClient(
  {
    baseUrl: "http://shop.example",
    fetch: async () =>
      Response.json(
        { ...envelope, data: {} },
        { status: 409, headers: { "X-Left": "3" } },
      ),
  },
  {
    buy: rpc("/rpc/Shop/Buy", {
      use: [errorHeaders],
      error: readErrors(inHeaders),
    }),
  },
);
const result = await calls.buy.result({});
if (!result.ok) console.log(result.error); // SoldOut, with its data
