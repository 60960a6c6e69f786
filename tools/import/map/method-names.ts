import { toPascal, toSingular, toTypeName, wordsOf } from "../model/names.js";

/** Facts about an operation that its name can be made of. */
export interface Operation {
  /** The verb in lower case, e.g. `get`. */
  readonly verb: string;
  readonly path: string;
  readonly operationId: string | null;
}

/**
 * Names a method: after its `operationId` without the words of its service or
 * the path that some frameworks add, or after its verb and path.
 */
export function nameMethod(operation: Operation, service: string): string {
  // NestJS writes `OrdersController_list`.
  const id = (operation.operationId ?? "").replace(
    /(?<=[a-z\d])Controller_(?=[a-z]\w*$)/u,
    "_",
  );
  if (isPathName(id, operation)) return nameAfterPath(operation);
  const words = withoutPath(wordsOf(id), operation);
  const rest = withoutService(words, service);
  const [verb = ""] = rest;
  const isStripped = rest.length === 1 && words.length > 1;
  const name = isStripped
    ? toPascal(verb) + nounOf(service, verb, operation)
    : rest.map(toPascal).join("");
  return name === "" ? nameAfterPath(operation) : toTypeName(name, "Call");
}

/** `orders_list` is `ListOrders`, and `orders_get` is `GetOrder`. */
function nounOf(service: string, verb: string, { path }: Operation): string {
  const isMany = /^(?:list|search|find|query|all)/iu.test(verb);
  const isItem = /\}[^/]*$/u.test(path) || /^(?:create|add|new)$/iu.test(verb);
  return isItem && !isMany ? toSingular(toPascal(service)) : toPascal(service);
}

/** Whether an id only repeats the verb and the path: `get_files_id_versions`. */
function isPathName(id: string, { verb, path }: Operation): boolean {
  const plain = (words: readonly string[]): string =>
    words.join("").toLowerCase();
  const [target = ""] = path.split(/[?#]/u, 1);
  const segments = target.split("/").filter((each) => each !== "");
  const names = [
    segments.map((each) => (each.startsWith("{") ? "id" : each)),
    segments,
  ].map((each) => plain(each.flatMap(wordsOf)));
  const text = plain(wordsOf(id));
  return (
    id !== "" &&
    segments.length > 1 &&
    names.some((name) => text === verb + name)
  );
}

/** FastAPI appends the path and the verb: `read_item_items__id__get`. */
function withoutPath(
  words: readonly string[],
  { verb, path }: Operation,
): readonly string[] {
  const tail = [...wordsOf(path), verb].map((word) => word.toLowerCase());
  const rest = words.length - tail.length;
  const isTail =
    rest > 0 &&
    tail.every((word, at) => words[rest + at]?.toLowerCase() === word);
  return isTail ? words.slice(0, rest) : words;
}

/** `orders_list` in the service `Orders` is `List`. */
function withoutService(
  words: readonly string[],
  service: string,
): readonly string[] {
  const own = wordsOf(service).map((word) => word.toLowerCase());
  const isPrefix =
    words.length > own.length &&
    own.every((word, at) => words[at]?.toLowerCase() === word);
  return isPrefix ? words.slice(own.length) : words;
}

const verbs: Readonly<Record<string, string>> = {
  post: "Create",
  put: "Replace",
  patch: "Update",
  delete: "Delete",
  head: "Check",
};

function nameAfterPath({ verb, path }: Operation): string {
  const [target = ""] = path.split(/[?#]/u, 1);
  const segments = target.split("/").filter((segment) => segment !== "");
  const isParameter = (segment: string | undefined): boolean =>
    segment?.startsWith("{") === true;
  const isPrefix = (segment: string): boolean =>
    /^(?:api|rest|v\d+(?:\.\d+)?)$/iu.test(segment);
  const words = segments.filter((segment) => !isParameter(segment));
  const nouns = words.filter((segment) => !isPrefix(segment));
  const isItem = isParameter(segments.at(-1));
  const isOne = isItem || verb === "post";
  const parts = nouns.map((noun, at) => {
    const isLast = at === nouns.length - 1;
    const name = toPascal(noun);
    return isLast && !isOne ? name : toSingular(name);
  });
  const last = parts.at(-1) ?? "";
  const isList = verb === "get" && !isItem && toSingular(last) !== last;
  const first = isList ? "List" : (verbs[verb] ?? "Get");
  return first + parts.join("");
}
