// Sends values of all variants with hey-api's client, and narrows them.
import { deepStrictEqual } from "node:assert/strict";
import { createClient } from "../.work/unions/hey-api/client/index.js";
import * as sdk from "../.work/unions/hey-api/sdk.gen.js";
import type {
  AnyEvent,
  Condition,
  Intent,
  OpenEvent,
  OrderEvent,
  Outcome,
  Parcel,
  Payee,
  Place,
  Query,
} from "../.work/unions/hey-api/types.gen.js";
import { address, check, unreachable } from "./check.js";

const client = createClient({ baseUrl: address });

const paid: OrderEvent = { kind: "paid", amount: "5" };
const at = "2026-01-31T12:00:00Z";
const shipped: OrderEvent = { kind: "shipped", at, carrier: "us" };
const delivered: OrderEvent = { kind: "delivered", at };

await check<OrderEvent>([paid, shipped, delivered], (value) =>
  sdk.unionsTagged({ client, body: { value } }),
);
await check<AnyEvent>([paid, delivered, { kind: "lost" }], (value) =>
  sdk.unionsNested({ client, body: { value } }),
);
// The type of an unknown variant has the name of its schema as the tag.
const refunded: OpenEvent = JSON.parse('{"kind":"refunded","reason":"late"}');
await check<OpenEvent>([paid, delivered, refunded], (value) =>
  sdk.unionsOpen({ client, body: { value } }),
);
await check<Outcome>(
  [{ status: 200, name: "a" }, { status: 201, name: "b" }, { status: 404 }],
  (value) => sdk.unionsNumbered({ client, body: { value } }),
);
await check<Place>([{ city: "a", radius: 0.5 }, { city: "a" }], (value) =>
  sdk.unionsUntagged({ client, body: { value } }),
);
await check<Query>(["a", ["a", "b"], { city: "a", radius: 0.5 }], (value) =>
  sdk.unionsKinds({ client, body: { value } }),
);
await check<Condition>(["a", ["a", ["b"]]], (value) =>
  sdk.unionsRecursive({ client, body: { value } }),
);
await check<Intent>(
  [
    { id: 1, code: "paid", data: { amount: "5" } },
    { id: 1, code: "refunded", data: { amount: "5" } },
    { id: 1, code: "lost" },
  ],
  (value) => sdk.unionsBeside({ client, body: { value } }),
);
await check<Payee>([{ card: "1" }, { iban: "2" }], (value) =>
  sdk.unionsChoice({ client, body: { value } }),
);
await check<Parcel>(
  [
    { events: [paid, delivered], byName: { a: shipped }, next: null },
    { events: [], byName: {}, last: paid, next: delivered },
  ],
  (value) => sdk.unionsFields({ client, body: { value } }),
);

const { error } = await sdk.unionsTagged({
  client,
  body: { value: { kind: "paid", amount: "0" } },
});
const left = error !== undefined && "data" in error ? error.data?.left : null;
deepStrictEqual(left, 3);

// The compiler narrows each union by its tag.
export function describeEvent(event: OrderEvent): string {
  switch (event.kind) {
    case "paid":
      return event.amount;
    case "shipped":
    case "delivered":
      return event.at;
    default:
      return unreachable(event);
  }
}

export const describeOpen = (event: OpenEvent): string =>
  event.kind === "paid" ? event.amount : event.kind;

export const describeAny = (event: AnyEvent): string =>
  event.kind === "lost" ? "lost" : describeEvent(event);

export const describeOutcome = (outcome: Outcome): string =>
  outcome.status === 404 ? "missing" : outcome.name;

export const describeIntent = (intent: Intent): string =>
  intent.code === "lost" ? "lost" : intent.data.amount;
