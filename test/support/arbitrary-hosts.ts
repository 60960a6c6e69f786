import fc from "fast-check";
import type { Contract, Field, Host } from "../../generator/ir/contract.js";
import { fixedTypes, someFields, withoutStructs } from "./arbitrary-types.js";
import {
  contract,
  field,
  host,
  list,
  message,
  method,
  reference,
  scalar,
  service,
  struct,
} from "./contract-parts.js";

/** The fields of `Holder`, a struct that both hosts can send. */
const held: readonly Field[] = [
  field("node", reference("Node"), { isNullable: true }),
  field("leaves", list(reference("Leaf")), { isOptional: true }),
  field("toJSON", scalar("string"), { isOptional: true }),
  field("aNameThatLeavesNoRoomForItsValue", scalar("string")),
];

/** The random parts of a host. */
const echoed = fc.record({
  fields: someFields,
  /**
   * Whether the message contains a 64-bit integer. With `int64: bigint`, it is
   * read without rounding.
   */
  isExact: fc.boolean(),
  /** The number of methods that return the shared struct. */
  holding: fc.nat({ max: 2 }),
});

function echoing(
  name: string,
  { fields, isExact, holding }: Drawn<typeof echoed>,
): Host {
  const sent = message([
    ...fields,
    ...(isExact ? [field("exact", scalar("int64"))] : []),
  ]);
  const holder = { ...message(held), struct: "Holder" };
  const hold = ["Hold", "HoldAgain"]
    .slice(0, holding)
    .map((each) => method(name, each, { request: holder, response: holder }));
  const send = method(name, "Send", { request: sent, response: sent });
  const ping = method(name, "AskWhetherSomebodyIsThereAndAnswersAtAll");
  return host(name, [service(name, [send, ...hold, ping])]);
}

type Drawn<Of> = Of extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Two hosts that share structs. One, both, or neither of them reads integers
 * exactly. The host `left` has the service `Left`, and `right` has `Right`.
 */
export const arbitraryHosts: fc.Arbitrary<Contract> = fc
  .tuple(someFields, someFields, echoed, echoed)
  .map(([leaf, node, left, right]) =>
    contract(
      [
        ...fixedTypes,
        struct("Leaf", [
          ...leaf.map(withoutStructs),
          // This field needs conversion only if integers are read exactly.
          field("score", scalar("float64"), { isNullable: true }),
        ]),
        struct("Node", [
          ...node.filter(({ name }) => name !== "value").map(withoutStructs),
          field("value", list(reference("Node"))),
        ]),
        struct("Holder", held),
      ],
      [echoing("Left", left), echoing("Right", right)],
    ),
  );
