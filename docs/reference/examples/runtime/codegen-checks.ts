// Checks lists and maps, and changes messages while they are validated. Generated validators call these functions.
import { decodeBigint } from "@ridlkit/runtime/codegen/codec";
import * as checks from "@ridlkit/runtime/codegen/checks";
import {
  type Check,
  isRecord,
  isString,
  isUint32,
  isUint8,
  keyOf,
  validate,
} from "@ridlkit/runtime/validation";

// Checks for lists and maps.
const checkTags = checks.listOfValues(isString, "a string", {
  minItems: 1,
  maxItems: 9,
  uniqueItems: true,
});
const checkStock = checks.mapOf(
  checks.listOf(checkTags, { nullAs: checks.emptyList }),
  {
    minProperties: 1,
    maxProperties: 99,
    isKey: keyOf(isUint8),
    keyTitle: "an unsigned 8-bit integer",
    nullAs: checks.emptyList,
  },
);
console.log(validate(checkStock, { 7: [["new"]] })); // []
const checkPrices = checks.mapOfValues(isUint32, "a price", {});
console.log(validate(checkPrices, { at: -1 }).length); // 1

// Only requests can contain integers in place of strings.
const isDigits = (value: unknown): boolean => /^[0-9]+$/u.test(String(value));
const checkId = checks.textOrInteger(isDigits, "a string of digits");
console.log(validate(checkId, 7).length); // 1
console.log(validate(checkId, 7, { isRequest: true }).length); // 0

// "1" and "01" are the same `bigint`, so this reports duplicates.
const keyOfLot: checks.ItemKey = (lot) =>
  checks.keyOfFields(lot, { sums: checks.keyOfEach(decodeBigint) });
const checkLots = checks.listOf(() => {}, { uniqueItems: keyOfLot });
const lots = [{ sums: ["1"] }, { sums: ["01"] }];
console.log(validate(checkLots, lots).length); // 1

// Validators remove or replace null where it means an absent or empty value.
const checkPage: Check = (value, report) => {
  if (!isRecord(value)) return report.fail("an object", value);
  checks.fillNull(value, "tags", checks.emptyList, report);
  checks.dropUnknown(value, new Set(["tags", "note"]), report);
  if (value["note"] === null) checks.dropNull(value, "note", report);
};
const page = { note: null, tags: null };
validate(checkPage, page, { dropsNulls: true });
console.log(page); // { tags: [] }

console.log(checks.byteLengthOf("aGk=")); // 2
console.log(checks.unrolled(/^#[0-9a-f]{3}$/u)); // the same, but faster

// Items of lists and maps can be null if their type is nullable.
const checkNotes = checks.listOf(checks.orNull(checkPage));
const checkNames = checks.listOfValues(
  checks.isNullOr(isString),
  "a string or null",
);
console.log(validate(checkNotes, [null]).length); // 0
console.log(validate(checkNames, ["a", null, 1]).length); // 1

// Members that no field declares are checked as a map.
const names = new Set(["id"]);
const checkItem: Check = (value, report) => {
  if (!isRecord(value)) return report.fail("an object", value);
  checks.checkExtra(value, names, checkPrices, report);
};
console.log(validate(checkItem, { id: "a", at: -1 }).length); // 1
console.log(checks.keyOfMembers({ id: "a", sum: "01" }, names, decodeBigint)); // { id: "a", sum: 1n }
