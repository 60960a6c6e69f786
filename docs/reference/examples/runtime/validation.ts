// Validates messages with generated validators, and values with predicates for the core types.
import * as validation from "@ridlkit/runtime/validation";
import { checkBook } from "../generated/validators.js";

const failures = validation.validate(
  checkBook,
  { isbn: 1, title: "SICP" },
  { dropsNulls: true, dropsUnknown: true, isRequest: true },
);
console.log(failures.map(({ path }) => validation.toPointer(path))); // ["/isbn", "/cents"]
console.log(validation.printFailures(failures));

// Predicates for the core types. All of these return true.
console.log(
  validation.isRecord({}),
  validation.isStruct({}),
  validation.isJson([1, { a: null }]),
  validation.isDate(new Date(0)),
  validation.isBytes(new Uint8Array()),
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

// Sizes of strings in characters.
console.log(validation.lengthOf("😀")); // 1
console.log(validation.isLengthWithin("😀", 1, 1)); // true
console.log(validation.ownValue({}, "toString")); // undefined
console.log(validation.keyOf(validation.isUint8)("7")); // true
