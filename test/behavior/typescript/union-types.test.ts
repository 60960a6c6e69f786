import { expect, expectTypeOf, it } from "vitest";
import type {
  Payment,
  Place,
} from "../../golden/fixtures/unions/expected/types.js";
import type { CallError } from "../../../runtime/typescript/client/client.js";
import type { UnknownVariant } from "../../../runtime/typescript/values/unions.js";
import type { RpcError } from "../../../runtime/typescript/wire/errors.js";

it("a union of structs without a tag accepts the fields of only one", () => {
  interface Both {
    id: string;
    card: bigint;
    iban: Uint8Array;
  }
  expectTypeOf<Omit<Both, "iban">>().toExtend<Payment>();
  expectTypeOf<Omit<Both, "card">>().toExtend<Payment>();
  expectTypeOf<Both>().not.toExtend<Payment>();
  expectTypeOf<{ x: 1; y: 2; radius: 3 }>().not.toExtend<Place>();
});

it("a field of one variant tells which it is", () => {
  const payer = (payment: Payment): string =>
    payment.card === undefined
      ? `account of ${payment.iban.length} bytes`
      : `card ${payment.card}`;
  expect(payer({ id: "1", card: 7n })).toBe("card 7");
  expect(payer({ id: "1", iban: new Uint8Array(2) })).toBe(
    "account of 2 bytes",
  );
});

it("the tag of an unknown variant is a text, unless tags are numbers", () => {
  expectTypeOf<UnknownVariant<"kind">["kind"]>().toExtend<string>();
  expectTypeOf<UnknownVariant<"kind", number>["kind"]>().toExtend<number>();
  expectTypeOf<"a">().not.toExtend<UnknownVariant<"kind">["kind"]>();
});

it("a `switch` over the errors of a call leaves those that it does not know", () => {
  type Failure = CallError<RpcError<"NotFound"> | RpcError<"SoldOut">>;
  const textOf = (error: Failure): string => {
    switch (error.name) {
      case "NotFound":
        expectTypeOf(error).toEqualTypeOf<RpcError<"NotFound">>();
        return "not found";
      case "SoldOut":
      case "WebrpcRequestFailed":
      case "WebrpcClientDisconnected":
      case "WebrpcBadResponse":
      case "WebrpcStreamLost":
        return "known";
    }
    expectTypeOf(error).not.toBeNever();
    expectTypeOf(error.name).toExtend<string>();
    expectTypeOf(error.status).toEqualTypeOf<number>();
    return `${error.status} ${error.name}`;
  };
  const gateway = { name: "TooManyRequests", status: 429 } as unknown;
  expect(textOf(gateway as Failure)).toBe("429 TooManyRequests");
});
