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
    /(?<=[a-z\d])Controller(?:V\d+)?_(?=[a-z]\w*$)/u,
    "_",
  );
  if (isPathName(id, operation)) return nameAfterPath(operation);
  const own = withoutPath(splitVerb(wordsOf(id), operation), operation);
  const { words, version } = splitVersion(withoutLayers(own));
  const short = withoutNamespace(words, service, operation);
  const rest = withoutService(short, service, operation);
  const stripped = short.slice(0, short.length - rest.length);
  const name =
    rest.length === 1 && stripped.length > 0
      ? withNoun(stripped, rest[0] ?? "", service, operation)
      : join(rest.length < words.length ? verbFirst(rest) : rest);
  return name === ""
    ? nameAfterPath(operation)
    : toTypeName(name + version, "Call");
}

const join = (words: readonly string[]): string => words.map(toPascal).join("");

/** `export_create` is `CreateExport`. */
function verbFirst(words: readonly string[]): readonly string[] {
  const last = words.at(-1) ?? "";
  return /^(?:create|delete|get|retrieve|update)$/iu.test(last)
    ? [last, ...words.slice(0, -1)]
    : words;
}

/** Joins the words of a service and the word after them. */
function withNoun(
  stripped: readonly string[],
  last: string,
  service: string,
  operation: Operation,
): string {
  const own = wordsOf(service).slice(-stripped.length);
  const noun = nounOf(own, last, operation);
  if (isVerb(last, operation)) return toPascal(last) + noun;
  // `orders_list` is `ListOrders`, but `Stats` in `ContainerStats` is no verb.
  const isOne = toSingular(noun) === noun;
  return (isOne ? noun : join(stripped)) + toPascal(last);
}

/** The noun of a verb: `Orders` for `list`, and `Order` for `create`. */
function nounOf(
  words: readonly string[],
  verb: string,
  { path }: Operation,
): string {
  const segments = path.split("/");
  const names = new Set(segments.map((each) => toKey(toPascal(each))));
  const nouns = words.map((_, at) => join(words.slice(at)));
  // `LibrariesDocuments` of `/libraries/{id}/documents` are `Documents`.
  const own = nouns.find((each) => names.has(toKey(each))) ?? nouns[0] ?? "";
  const one = toSingular(own);
  const at = segments.findLastIndex(
    (each) => !each.startsWith("{") && toKey(toPascal(each)) === toKey(one),
  );
  if (/^(?:list|search|find|query|all)$/iu.test(verb)) {
    // `ContainerList` of `/containers/json` is `ListContainers`.
    return own + toPascal(segments[at] ?? "").slice(own.length);
  }
  const isItem =
    segments.slice(at + 1).some((segment) => segment.startsWith("{")) ||
    /^(?:create|add|new|send|start|upload)$/iu.test(verb);
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
  "abort accept acknowledge activate add append apply approve archive assign attach authorize block build calculate call cancel capture change clear clone close commit complete confirm connect convert copy create deactivate decline delete deny deploy destroy detach disable disconnect duplicate edit enable end evaluate exec execute expire extend finish flush generate grant hide import init insert install invite invoke issue join kill leave link load lock login logout mark merge migrate modify move mute new notify open parse patch pause post promote prune publish pull purge push put rebuild recover refresh refund register reject release reload remove rename renew reopen reorder replace reply reprocess resend reserve reset resize resolve restart restore resume retry revert revoke rotate run save scan schedule send set share sign start stop submit subscribe suspend sync tag track transfer trigger unarchive unassign unblock uninstall unlink unlock unmute unpause unpublish unsubscribe update upgrade upload upsert void wait withdraw write".split(
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

/** The verb is a word of its own in `getstopWords` of `/settings/stop-words`. */
function splitVerb(
  [first = "", ...others]: readonly string[],
  operation: Operation,
): readonly string[] {
  const known = new Set(wordsOf(operation.path).map(toKey));
  if (known.has(toKey(first))) return [first, ...others];
  const verb = [...readingVerbs, ...writingVerbs].find(
    (each) =>
      first.toLowerCase().startsWith(each) &&
      known.has(toKey(first.slice(each.length))),
  );
  return verb === undefined
    ? [first, ...others]
    : [first.slice(0, verb.length), first.slice(verb.length), ...others];
}

/** Modules of a server are no part of a name: `files_api_routes_list_files`. */
function withoutLayers(words: readonly string[]): readonly string[] {
  const at = words.findLastIndex(
    (word, index) =>
      /^api$/iu.test(words[index - 1] ?? "") &&
      /^(?:routes|v\d+)$/iu.test(word),
  );
  return at < words.length - 1 ? words.slice(at + 1) : words;
}

/** `libraries_list_v1` is the first version of `ListLibraries`. */
function splitVersion(words: readonly string[]): {
  readonly words: readonly string[];
  readonly version: string;
} {
  const last = words.at(-1) ?? "";
  return words.length > 1 && /^v\d+$/iu.test(last)
    ? { words: words.slice(0, -1), version: toPascal(last) }
    : { words, version: "" };
}

/** `ml_get_jobs` in the service `MlJobs` is `GetJobs`. */
function withoutNamespace(
  words: readonly string[],
  service: string,
  operation: Operation,
): readonly string[] {
  const own = new Set(wordsOf(service).map(toKey));
  const at = words.findIndex((word) => !own.has(toKey(word)));
  const isNamespace =
    at > 0 && at < words.length - 1 && isVerb(words[at] ?? "", operation);
  return isNamespace ? words.slice(at) : words;
}

/** What two words have in common if one of them is the plural of the other. */
const toKey = (word: string): string => toSingular(word.toLowerCase());

/**
 * `orders_list` in the service `Orders` is `List`, and so is `accounts_list` in
 * `BetaAccounts`.
 */
function withoutService(
  words: readonly string[],
  service: string,
  operation: Operation,
): readonly string[] {
  const own = wordsOf(service);
  const suffix = own
    .map((_, at) => own.slice(at))
    .find(
      (each) =>
        words.length > each.length &&
        each.every((word, at) => toKey(words[at] ?? "") === toKey(word)),
    );
  // In `findAll` of `/find`, the verb is the word of the service.
  const [first = "", second = ""] = words;
  const isVerbFirst =
    suffix?.length === 1 &&
    isVerb(first, operation) &&
    (/^all$/iu.test(second) || !isVerb(second, operation));
  if (isVerbFirst) return words;
  const rest = words.slice(suffix?.length ?? 0);
  return /^(?:by|for|from|in|of|to|with)$/iu.test(rest[0] ?? "") ? words : rest;
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
