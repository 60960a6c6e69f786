import type { Schema } from "@ridlkit/runtime/schema";
import * as Address from "ox/Address";

/** A problem with a value that a person typed. */
interface Issue {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/**
 * Returns a schema that also rejects addresses whose checksum (ERC-55) is wrong,
 * because such an address was probably mistyped. Addresses in lowercase or
 * uppercase have no checksum.
 */
export function withChecksums<Input, Output>(
  schema: Schema<Input, Output>,
): Schema<Input, Output> {
  const standard = schema["~standard"];
  return {
    ...schema,
    "~standard": {
      ...standard,
      validate: (value) => {
        const result = standard.validate(value);
        if (result instanceof Promise || result.issues !== undefined) {
          return result;
        }
        const issues = findMistyped(result.value, []);
        return issues.length === 0 ? result : { issues };
      },
    },
  };
}

function findMistyped(value: unknown, path: Issue["path"]): readonly Issue[] {
  if (typeof value === "string") {
    const isTyped = /^0x[0-9a-f]{40}$/iu.test(value) && isMixedCase(value);
    if (!isTyped || Address.validate(value)) return [];
    return [{ path, message: "the checksum of the address is wrong" }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    findMistyped(each, [...path, key]),
  );
}

function isMixedCase(address: string): boolean {
  const digits = address.slice(2);
  return digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
}
