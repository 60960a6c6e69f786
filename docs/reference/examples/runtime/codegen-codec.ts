// Converts messages between their JSON and TypeScript forms. Generated code imports these functions only for types whose two forms differ, such as `bigint`, timestamps, and bytes.
import * as codec from "@ridlkit/runtime/codegen/codec";

console.log(codec.decodeBigint("340282366920938463463374607431768211456"));
console.log(codec.encodeBigint(10n ** 20n)); // "100000000000000000000"
console.log(codec.decodeInt64(9007199254740993n)); // 9007199254740993n
console.log(codec.decodeSafeInt(42)); // 42
console.log(codec.decodeFloat(3n)); // 3
console.log(codec.decodeDate("2026-01-31T12:00:00Z").getTime());
console.log(codec.encodeDate(new Date(0))); // 1970-01-01T00:00:00.000Z
console.log(codec.decodeBytes("aGk=")); // Uint8Array [104, 105]
console.log(codec.encodeBytes(new Uint8Array([104, 105]))); // aGk=
console.log(codec.decodeIntegerText(7)); // "7"

const dates = codec.decodeList(["2026-01-31T12:00:00Z"], codec.decodeDate);
console.log(codec.encodeList(dates, codec.encodeDate));
const totals = codec.decodeRecord({ a: "1" }, codec.decodeBigint);
console.log(codec.encodeRecord(totals, codec.encodeBigint)); // { a: "1" }
console.log(codec.requireRecord({ a: 1 })); // anything but an object throws
console.log(codec.dropNulls({ note: null, tags: [null] })); // { tags: [null] }

// A reader for messages whose fields have two forms.
const readOrder = codec.readFields({
  id: codec.decodeInt64,
  placedAt: codec.optional(codec.decodeDate),
  canceledAt: codec.nullable(codec.decodeDate),
  tags: codec.nullAs(codec.emptyList, codec.readListOf(codec.same)),
  totals: codec.readMapOf(codec.decodeBigint),
});
console.log(readOrder({ id: 7n, canceledAt: null, tags: null, totals: {} }));

// Extra members are in a map in TypeScript, and beside the fields in JSON.
const declared = new Set(["id"]);
const item: Record<string, unknown> = { id: 1, color: "red" };
codec.collectExtra(item, declared, "more", false);
console.log(item); // { id: 1, more: { color: "red" } }
console.log(codec.spreadExtra(item, declared, "more")); // { id: 1, color: "red" }
const readItem = codec.readWithExtra(declared, "more", true, {});
console.log(readItem({ id: 1 })); // { id: 1 }
