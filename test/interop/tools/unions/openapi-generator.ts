// Sends values of all variants with openapi-generator's client for TypeScript,
// and narrows them.
import { deepStrictEqual } from "node:assert/strict";
import {
  type AnyEvent,
  Configuration,
  type Intent,
  type OpenEvent,
  type OrderEvent,
  type Outcome,
  type Parcel,
  type Payee,
  type Query,
  ResponseError,
  SoldOutErrorFromJSON,
  UnionsApi,
} from "../.work/unions/openapi-generator/index.js";
import { address, check, unreachable } from "./check.js";

const api = new UnionsApi(new Configuration({ basePath: address }));

/** Sends values of a union, and checks that the server returns each of them. */
const checkValues = <Value>(
  values: readonly Value[],
  send: (value: Value) => Promise<{ value: Value }>,
): Promise<void> =>
  check(values, async (value) => ({ data: await send(value) }));

const paid: OrderEvent = { kind: "paid", amount: "5" };
const at = new Date("2026-01-31T12:00:00Z");
const shipped: OrderEvent = { kind: "shipped", at, carrier: "us" };
const delivered: OrderEvent = { kind: "delivered", at };

await checkValues<OrderEvent>([paid, shipped, delivered], (value) =>
  api.unionsTagged({ taggedRequest: { value } }),
);
await checkValues<AnyEvent>([paid, delivered, { kind: "lost" }], (value) =>
  api.unionsNested({ nestedRequest: { value } }),
);
// The type of an unknown variant has the name of its schema as the tag.
const refunded: OpenEvent = JSON.parse('{"kind":"refunded","reason":"late"}');
await checkValues<OpenEvent>([paid, delivered, refunded], (value) =>
  api.unionsOpen({ openRequest: { value } }),
);
await checkValues<Outcome>(
  [{ status: 200, name: "a" }, { status: 201, name: "b" }, { status: 404 }],
  (value) => api.unionsNumbered({ numberedRequest: { value } }),
);
await checkValues<Query>(
  ["a", ["a", "b"], { city: "a", radius: 0.5 }],
  (value) => api.unionsKinds({ kindsRequest: { value } }),
);
await checkValues<Intent>(
  [
    { id: 1, code: "paid", data: { amount: "5" } },
    { id: 1, code: "refunded", data: { amount: "5" } },
    { id: 1, code: "lost" },
  ],
  (value) => api.unionsBeside({ besideRequest: { value } }),
);
await checkValues<Payee>([{ card: "1" }, { iban: "2" }], (value) =>
  api.unionsChoice({ choiceRequest: { value } }),
);
await checkValues<Parcel>(
  [
    { events: [paid, delivered], byName: { a: shipped }, next: null },
    { events: [], byName: {}, last: paid, next: delivered },
  ],
  (value) => api.unionsFields({ fieldsRequest: { value } }),
);

try {
  await api.unionsTagged({
    taggedRequest: { value: { kind: "paid", amount: "0" } },
  });
} catch (error) {
  if (!(error instanceof ResponseError)) throw error;
  const { data } = SoldOutErrorFromJSON(await error.response.json());
  deepStrictEqual(data, { left: 3, restocked: undefined });
}

// The compiler narrows each union by its tag, and dates are dates.
function describeEvent(event: OrderEvent): string {
  switch (event.kind) {
    case "paid":
      return event.amount;
    case "shipped":
    case "delivered":
      return event.at.toISOString();
    default:
      return unreachable(event);
  }
}

const { value } = await api.unionsTagged({ taggedRequest: { value: shipped } });
deepStrictEqual(describeEvent(value), at.toISOString());

export const describeOpen = (event: OpenEvent): string =>
  event.kind === "paid" ? event.amount : event.kind;

export const describeAny = (event: AnyEvent): string =>
  event.kind === "lost" ? "lost" : describeEvent(event);

export const describeOutcome = (outcome: Outcome): string =>
  outcome.status === 404 ? "missing" : outcome.name;

export const describeIntent = (intent: Intent): string =>
  intent.code === "lost" ? "lost" : intent.data.amount;
