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
  const rest = withoutService(words, service, operation);
  const [last = ""] = rest;
  const isStripped = rest.length === 1 && words.length > 1;
  const noun = nounOf(service, last, operation);
  // `orders_list` is `ListOrders`, but `Stats` in `ContainerStats` is no verb.
  const name = !isStripped
    ? rest.map(toPascal).join("")
    : isVerb(last, operation)
      ? toPascal(last) + noun
      : noun + toPascal(last);
  return name === "" ? nameAfterPath(operation) : toTypeName(name, "Call");
}

/** The noun of a verb: `Orders` for `list`, and `Order` for `create`. */
function nounOf(service: string, verb: string, { path }: Operation): string {
  const own = toPascal(service);
  const one = toSingular(own);
  const segments = path.split("/");
  const at = segments.findLastIndex(
    (each) =>
      !each.startsWith("{") &&
      toSingular(toPascal(each)).toLowerCase() === one.toLowerCase(),
  );
  if (/^(?:list|search|find|query|all)$/iu.test(verb)) {
    // `ContainerList` of `/containers/json` is `ListContainers`.
    return own + toPascal(segments[at] ?? "").slice(own.length);
  }
  const isItem =
    segments.slice(at + 1).some((segment) => segment.startsWith("{")) ||
    /^(?:create|add|new|send)$/iu.test(verb);
  return isItem ? one : own;
}

/** Verbs that also occur in the names of GET methods. */
const readingVerbs = new Set(
  "all check count describe download exists export fetch find get inspect list ping preview query read render retrieve search show test validate verify view watch".split(
    " ",
  ),
);

/** Verbs of methods that change something. Some are nouns in those of GET. */
const writingVerbs = new Set(
  "abort accept acknowledge activate add apply approve archive assign attach authorize block build calculate cancel capture change clear clone close commit complete confirm connect convert copy create deactivate decline delete deny deploy destroy detach disable disconnect duplicate edit enable end evaluate exec execute expire extend finish flush generate grant hide import init insert install invite invoke issue join kill leave link load lock login logout mark merge migrate modify move mute new notify open parse patch pause post promote prune publish pull purge push put rebuild recover refresh refund register reject release reload remove rename renew reopen reorder replace reply resend reserve reset resize resolve restart restore resume retry revert revoke rotate run save scan send set share sign start stop submit subscribe suspend sync tag track transfer trigger unarchive unassign unblock uninstall unlink unlock unmute unpause unpublish unsubscribe update upgrade upload upsert void wait withdraw write".split(
    " ",
  ),
);

function isVerb(word: string, { verb }: Pick<Operation, "verb">): boolean {
  const lower = word.toLowerCase();
  return readingVerbs.has(lower) || (verb !== "get" && writingVerbs.has(lower));
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
  operation: Operation,
): readonly string[] {
  const own = wordsOf(service).map((word) => word.toLowerCase());
  const isPrefix =
    words.length > own.length &&
    own.every((word, at) => words[at]?.toLowerCase() === word);
  const rest = isPrefix ? words.slice(own.length) : words;
  // In `findAll` of `/find`, the verb is the word of the service.
  const [first = "", second = ""] = words;
  const isVerbFirst =
    own.length === 1 &&
    isVerb(first, operation) &&
    (/^all$/iu.test(second) || !isVerb(second, operation));
  return isVerbFirst ? words : rest;
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
