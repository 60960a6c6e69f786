import { expectTypeOf, test } from "vitest";

import type { takeNonce } from "../../relaying/account-nonces.js";
import type { Evidence, offerPrice } from "../../relaying/evidence/evidence.js";
import type { Price } from "../../relaying/evidence/price.js";
import type { Receipt, RelayStatus } from "../../relaying/evidence/reports.js";
import type { isStuck, judgeLateness, Step } from "../../relaying/next-step.js";
import type { reserveGas } from "../../relaying/reservations.js";
import type { Parts, Work } from "../../relaying/sign-transaction.js";
import type { requirePayer } from "../../relaying/sponsorship.js";
import type { book } from "../../relaying/stored-relay.js";

/** The fields that a number fits into. */
type NumbersIn<Fields> = {
  [Name in keyof Fields]: 1 extends Fields[Name]
    ? Name
    : 1n extends Fields[Name]
      ? Name
      : never;
}[keyof Fields];

// The compiler checks these tests.
test("only evidence is signed", () => {
  expectTypeOf<NumbersIn<Parts>>().toEqualTypeOf<"relayId">();
  expectTypeOf<NumbersIn<Work>>().toEqualTypeOf<never>();
  expectTypeOf<Price>().not.toExtend<Parts["price"]>();
  expectTypeOf<{ readonly value: bigint }>().not.toExtend<Work["gas"]>();
  expectTypeOf<bigint>().not.toExtend<Parameters<typeof reserveGas>[2]>();
  expectTypeOf<number>().not.toExtend<Parameters<typeof takeNonce>[2]>();
  type Market = Parameters<typeof offerPrice>[0];
  expectTypeOf<Market["value"]>().not.toExtend<Market>();
  type Paid = Parameters<typeof requirePayer>[2];
  expectTypeOf<NumbersIn<Paid>>().toEqualTypeOf<"projectId" | "chainId">();
});

test("only evidence is booked", () => {
  expectTypeOf<Parameters<typeof book>>().pick<2 | 3>().toEqualTypeOf<{
    2: Evidence<RelayStatus>;
    3: ReadonlyMap<string, Evidence<Receipt>>;
  }>();
  type Booked = Extract<Step, { readonly kind: "book" }>;
  expectTypeOf<RelayStatus>().not.toExtend<Booked["status"]>();
  type Call = Parameters<typeof judgeLateness>[0];
  // The deadline is what the owner of the wallet has signed.
  expectTypeOf<NumbersIn<Call>>().toEqualTypeOf<"deadline">();
  expectTypeOf<number>().not.toExtend<Parameters<typeof isStuck>[1]>();
  expectTypeOf<number>().not.toExtend<Parameters<typeof isStuck>[2]>();
});
