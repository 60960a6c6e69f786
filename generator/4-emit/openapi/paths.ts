import type { JsonObject } from "../emitter/json-value.js";
import { parametersIn, shapeOf, type HttpRoute } from "./path-clashes.js";

/** An operation. Undefined members are omitted. */
export interface DescribedOperation extends JsonObject {
  readonly operationId: string;
  readonly parameters: readonly OperationParameter[] | undefined;
}

/** A parameter of an operation. */
export interface OperationParameter extends JsonObject {
  readonly name: string;
  readonly in: "header" | "path";
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

  /** Adds an operation. Its route must be unique. */
  add({ path, verb }: HttpRoute, operation: DescribedOperation): void {
    const shape = shapeOf(path);
    const item = this.#items.get(shape);
    if (item === undefined) {
      const operations = new Map([[verb, operation]]);
      this.#items.set(shape, { path, operations });
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
    name: newNames.get(each.name) ?? each.name,
  }));
  return { ...operation, parameters };
}
