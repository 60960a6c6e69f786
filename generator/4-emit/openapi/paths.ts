import { parametersIn } from "../../ir/path-template.js";
import { wireOf } from "../../http/wire-of.js";
import type { JsonObject } from "../emitter/json-value.js";
import type { Host, Method, Verb } from "../../ir/contract.js";
import { methodsOf } from "../../ir/methods-of.js";

/** The HTTP method and the path of an operation. */
interface HttpAddress {
  readonly verb: Lowercase<Verb>;
  /** The path as in the schema, e.g. `/items/{id}`. */
  readonly path: string;
  /** The path without the names of its parameters. */
  readonly shape: string;
  /** What addresses of the same requests share. */
  readonly key: string;
}

/** Two hosts with the same verb and path, each at its own base address. */
export interface PathClash {
  readonly address: HttpAddress;
  /** The hosts, in the order of the contract. */
  readonly hosts: readonly [Host, Host];
}

/** Returns the route of a method, or null for a webhook. */
export function httpAddressOf(method: Method): HttpAddress | null {
  const { address } = wireOf(method);
  if (address === null) return null;
  const { key, shape, template, verb } = address;
  return { verb: lowered[verb], path: template.text, shape, key };
}

const lowered = {
  GET: "get",
  POST: "post",
  PUT: "put",
  PATCH: "patch",
  DELETE: "delete",
  HEAD: "head",
} as const satisfies Record<Verb, Lowercase<Verb>>;

/** Finds routes that several hosts have, which one document cannot describe. */
export function findPathClashes(hosts: readonly Host[]): readonly PathClash[] {
  const owners = new Map<string, Host>();
  return hosts.flatMap((host) =>
    methodsOf(host.services).flatMap((method): readonly PathClash[] => {
      const address = httpAddressOf(method);
      if (address === null) return [];
      const owner = owners.get(address.key) ?? host;
      owners.set(address.key, owner);
      return owner === host ? [] : [{ address, hosts: [owner, host] }];
    }),
  );
}

/** An operation. Undefined members are omitted. */
export interface DescribedOperation extends JsonObject {
  readonly operationId: string;
  readonly parameters: readonly OperationParameter[] | undefined;
}

/** A parameter of an operation. */
export interface OperationParameter extends JsonObject {
  readonly name: string;
  readonly in: "header" | "path" | "query";
}

interface PathItem {
  readonly path: string;
  readonly operations: Map<string, DescribedOperation>;
}

/**
 * The paths of a document. OpenAPI treats paths that differ only in the names
 * of parameters as one path. The first operation determines the names.
 */
export class Paths {
  readonly #items = new Map<string, PathItem>();

  /**
   * Adds an operation. A route that only clients share with another has a path of
   * its own, and is left out if the names of its parameters are the same, too.
   */
  add({ path, shape, verb }: HttpAddress, operation: DescribedOperation): void {
    const item = this.#items.get(shape);
    if (item === undefined) {
      const operations = new Map([[verb, operation]]);
      this.#items.set(shape, { path, operations });
    } else if (item.operations.has(verb)) {
      if (item.path === path) return;
      const own = this.#items.get(path) ?? { path, operations: new Map() };
      if (!own.operations.has(verb)) own.operations.set(verb, operation);
      this.#items.set(path, own);
    } else {
      item.operations.set(verb, moved(operation, path, item.path));
    }
  }

  /** Returns the operations by path and HTTP method. */
  describe(): JsonObject {
    const items = [...this.#items.values()];
    return Object.fromEntries(
      items.map(({ operations, path }) => [
        path,
        Object.fromEntries(operations),
      ]),
    );
  }
}

/** Renames the parameters of an operation to match another path. */
function moved(
  operation: DescribedOperation,
  from: string,
  to: string,
): DescribedOperation {
  const names = parametersIn(to);
  const newNames = new Map(
    parametersIn(from).map((name, at) => [name, names[at] ?? name] as const),
  );
  const parameters = operation.parameters?.map((each) => ({
    ...each,
    name: (each.in === "path" && newNames.get(each.name)) || each.name,
  }));
  return { ...operation, parameters };
}
