import { isDeepStrictEqual } from "node:util";
import { RpcError } from "@ridlkit/runtime/errors";

import {
  errors,
  UnexpectedValueError,
  WebrpcEndpointError,
  type Complex,
  type Simple,
  type User,
} from "./generated/index.js";
import type { TestApiHandler } from "./generated/server.js";
import { schemaErrors } from "./wire-table.js";

const one: Simple = { id: 1, name: "one" };
const two: Simple = { id: 2, name: "two" };
const three: Simple = { id: 3, name: "three" };

const user: User = { id: 1, USERNAME: "John-Doe", role: "admin" };

const complex: Complex = {
  meta: { "1": "23", "2": 24 },
  metaNestedExample: { "1": { "2": 1 } },
  namesList: ["John", "Alice", "Jakob"],
  numsList: [1, 2, 3, 4534643543],
  doubleArray: [["testing"], ["api"]],
  listOfMaps: [{ Jakob: 251, alice: 2, john: 1 }],
  listOfUsers: [user],
  mapOfUsers: { admin: user },
  user,
  status: "AVAILABLE",
};

/**
 * Implements the eleven methods that the suite expects, with the generated
 * interface.
 */
export function createInteropHandler(): TestApiHandler {
  return {
    getEmpty: () => ({}),
    getError: () => {
      throw new WebrpcEndpointError({ cause: "internal error" });
    },
    getOne: () => ({ one }),
    sendOne: (request) => expectEqual(request, { one }),
    getMulti: () => ({ one, two, three }),
    sendMulti: (request) => expectEqual(request, { one, two, three }),
    getComplex: () => ({ complex }),
    sendComplex: (request) => expectEqual(request, { complex }),
    getEnumList: () => ({ list: ["AVAILABLE", "NOT_AVAILABLE"] }),
    getEnumMap: () => ({ map: { READ: 1, WRITE: 2 } }),
    getSchemaError: ({ code }) => {
      const definition = Object.values(errors).find(
        (error) => error.code === code,
      );
      const row = schemaErrors.find((error) => error.code === code);
      if (!definition || !row) return {};
      throw new RpcError(definition, { cause: row.cause });
    },
  };
}

function expectEqual(got: unknown, wanted: unknown): Record<string, never> {
  if (isDeepStrictEqual(got, wanted)) return {};
  throw new UnexpectedValueError({ cause: JSON.stringify(got) });
}
