// Validates messages. Generated validators call these functions. Programs use `validate`, `toPointer`, and `printFailures`.
import { decodeBigint } from "@ridlkit/runtime/codec";
import * as validation from "@ridlkit/runtime/validation";
import { checkBook } from "../generated/validators.js";

const failures = validation.validate(
  checkBook,
  { isbn: 1, title: "SICP" },
  { dropsNulls: true },
);
console.log(failures.map(({ path }) => validation.toPointer(path))); // ["/isbn", "/cents"]
console.log(validation.printFailures(failures));

// Predicates for the core types. All of these return true.
console.log(
  validation.isRecord({}),
  validation.isString(""),
  validation.isBoolean(false),
  validation.isFloat(0.5),
  validation.isUint8(255),
  validation.isUint16(65_535),
  validation.isUint32(4_294_967_295),
  validation.isInt8(-128),
  validation.isInt16(-32_768),
  validation.isInt32(-2_147_483_648),
  validation.isSafeInt(-9_007_199_254_740_991),
  validation.isSafeUint(9_007_199_254_740_991),
  validation.isInt64(-9_007_199_254_740_993n),
  validation.isUint64(18_446_744_073_709_551_615n),
  validation.isBigintText("-340282366920938463463374607431768211456"),
  validation.isTimestamp("2026-01-31T12:00:00Z"),
  validation.isUrl("https://shop.example"),
  validation.isBase64("aGk="),
);

// Sizes of strings and bytes.
console.log(validation.lengthOf("😀"), validation.byteLengthOf("aGk=")); // 1 2
console.log(validation.isLengthWithin("😀", 1, 1)); // true
console.log(validation.unrolled(/^#[0-9a-f]{3}$/u)); // the same, but faster
console.log(validation.ownValue({}, "toString")); // undefined

// Checks for lists and maps.
const checkTags = validation.listOfValues(validation.isString, "a string", {
  minItems: 1,
  maxItems: 9,
  uniqueItems: true,
});
const checkStock = validation.mapOf(
  validation.listOf(checkTags, { nullAs: validation.emptyList }),
  {
    minProperties: 1,
    maxProperties: 99,
    isKey: validation.keyOf(validation.isUint8),
    keyTitle: "an unsigned 8-bit integer",
    nullAs: validation.emptyList,
  },
);
console.log(validation.validate(checkStock, { 7: [["new"]] })); // []
const checkPrices = validation.mapOfValues(validation.isUint32, "a price", {});
console.log(validation.validate(checkPrices, { at: -1 }).length); // 1

// "1" and "01" are the same `bigint`, so this reports duplicates.
const keyOfLot: validation.ItemKey = (lot) =>
  validation.keyOfFields(lot, { sums: validation.keyOfEach(decodeBigint) });
const checkLots = validation.listOf(() => {}, { uniqueItems: keyOfLot });
const lots = [{ sums: ["1"] }, { sums: ["01"] }];
console.log(validation.validate(checkLots, lots).length); // 1

// Validators remove or replace null where it means an absent or empty value.
const checkPage: validation.Check = (value, report) => {
  if (!validation.isRecord(value)) return report.fail("an object", value);
  validation.fillNull(value, "tags", validation.emptyList, report);
  if (value["note"] === null) validation.dropNull(value, "note", report);
};
const page = { note: null, tags: null };
validation.validate(checkPage, page, { dropsNulls: true });
console.log(page); // { tags: [] }
