import { type Failure, printFailures } from "../../values/validation.js";
import { maxFailures } from "../../values/report.js";
import { Refusal } from "../model/refusal.js";
import type { FileData } from "../../wire/file-data.js";
import type {
  FormBody,
  FormScalar,
  FormStruct,
  FormUnion,
  FormValue,
  ServerMethod,
} from "../model/server-method.js";
import { notUtf8, readScalar, severalValues } from "./query.js";

/** A value in a form. Null if its bytes are not UTF-8. */
type FormText = string | FileData | null;

/** A name in a form, or null if its bytes are not UTF-8, and a value. */
export type FormPair = readonly [name: string | null, value: FormText];

/** The values of a name in a form, and those of the names in brackets after it. */
interface FormNode {
  readonly texts: FormText[];
  readonly members: Map<string, FormNode>;
}

/**
 * Reads the fields of a form as their JSON. Lists are `a=1&a=2`, `a[]=1&a[]=2`, or
 * `a[0]=1&a[1]=2`, and members of objects are `a[b]=1`.
 *
 * Input: `whole` is the field whose members the pairs are, or null if the pairs
 * are the fields. Returns a refusal, which is the method's validation error and
 * names the field, if the pairs cannot be read.
 */
export function readFormFields(
  row: ServerMethod,
  form: FormBody,
  whole: string | null,
  pairs: readonly FormPair[],
  maxDepth: number,
): Record<string, unknown> | Refusal {
  const reader = new FormFieldReader(form, row.isExact === true);
  const root = createNode();
  for (const [name, value] of pairs) {
    // Nothing has a name that is not UTF-8.
    if (name === null) continue;
    const path = pathOf(name);
    const keys = whole === null ? path : [whole, ...path];
    const [head = ""] = whole === null ? name.split("[", 1) : [whole];
    const isMalformed = keys.some((key) => /[[\]]/u.test(key));
    if (!isMalformed && keys.length <= maxDepth) addText(root, keys, value);
    else if (Object.hasOwn(form.fields, head)) {
      const expected = isMalformed
        ? "a name such as `a[b][c]`"
        : `at most ${maxDepth} names in brackets`;
      reader.fail([head], {
        expected,
        got: isMalformed ? "other brackets" : "more",
      });
    }
  }
  const fields = reader.struct(root, form, []);
  const { failures } = reader;
  return failures.length === 0
    ? fields
    : new Refusal(row.validationError, printFailures(failures), failures);
}

function createNode(): FormNode {
  return { texts: [], members: new Map() };
}

function addText(
  root: FormNode,
  keys: readonly string[],
  text: FormText,
): void {
  let node = root;
  for (const key of keys) {
    const next = node.members.get(key) ?? createNode();
    node.members.set(key, next);
    node = next;
  }
  node.texts.push(text);
}

/** Splits `a[b][c]`. A name that is not written like this keeps a bracket. */
function pathOf(name: string): readonly string[] {
  const at = name.indexOf("[");
  if (at === -1 || !name.endsWith("]")) return [name];
  return [name.slice(0, at), ...name.slice(at + 1, -1).split("][")];
}

type Path = Failure["path"];

/** Converts the texts of a form to JSON, and collects failures. */
class FormFieldReader {
  readonly failures: Failure[] = [];
  readonly #types: FormBody["types"];
  readonly #isExact: boolean;

  constructor({ types }: FormBody, isExact: boolean) {
    this.#types = types;
    this.#isExact = isExact;
  }

  fail(path: Path, fault: Omit<Failure, "path">): undefined {
    if (this.failures.length < maxFailures) {
      this.failures.push({ path, ...fault });
    }
  }

  struct(
    { members }: FormNode,
    { extra, fields, filled = [] }: FormStruct,
    path: Path,
  ): Record<string, unknown> {
    const read = new Map<string, unknown>();
    for (const [name, node] of members) {
      const form = Object.hasOwn(fields, name) ? fields[name] : extra;
      if (form !== undefined) {
        read.set(name, this.#value(node, form, [...path, name]));
      }
    }
    for (const name of filled) {
      const form = fields[name];
      if (form === undefined || read.has(name)) continue;
      read.set(name, this.#value(createNode(), form, [...path, name]));
    }
    return Object.fromEntries(read);
  }

  #value(node: FormNode, form: FormValue, path: Path): unknown {
    if (typeof form === "string") return this.#scalar(node, form, path);
    if ("list" in form) return this.#list(node, form.list, path);
    if ("map" in form) {
      return this.#object(node, { fields: {}, extra: form.map }, path);
    }
    const type = this.#types?.[form.type];
    if (type === undefined) return undefined;
    return "variants" in type
      ? this.#union(node, type, path)
      : this.#object(node, type, path);
  }

  #scalar({ members, texts }: FormNode, form: FormScalar, path: Path): unknown {
    const [text] = texts;
    if (members.size > 0) {
      return this.fail(path, { expected: "a value", got: bracketNames });
    }
    if (texts.length > 1) return this.fail(path, severalValues(texts.length));
    if (text == null) return this.fail(path, notUtf8);
    // The reader of parts knows which fields are files.
    if (form !== "json" || typeof text !== "string") return text;
    return readScalar(text, this.#isExact);
  }

  #list({ members, texts }: FormNode, form: FormValue, path: Path): unknown {
    const unindexed = members.get("");
    const spellings = [
      texts.length,
      unindexed,
      members.size > (unindexed ? 1 : 0),
    ];
    if (spellings.filter(Boolean).length > 1) {
      const expected = "items that are all written in the same way";
      return this.fail(path, { expected, got: "a mixture" });
    }
    const given = unindexed?.texts ?? texts;
    if (given.length > 0 && !unindexed?.members.size) {
      return given.map((text, index) => {
        const node = { texts: [text], members: new Map() };
        return this.#value(node, form, [...path, index]);
      });
    }
    // Each index is less than the number of items, so it needs no other limit.
    return Array.from(members, (_, index) => {
      const node = members.get(String(index));
      if (node !== undefined) return this.#value(node, form, [...path, index]);
      const expected = "items such as `[0]` with indexes from 0 without gaps";
      return this.fail(path, { expected, got: bracketNames });
    });
  }

  #object(node: FormNode, struct: FormStruct, path: Path): unknown {
    if (node.texts.length === 0) return this.struct(node, struct, path);
    return this.fail(path, { expected: bracketNames, got: "a value" });
  }

  #union(
    node: FormNode,
    { scalar, tag, variants }: FormUnion,
    path: Path,
  ): unknown {
    if (scalar !== undefined && node.members.size === 0) {
      return this.#scalar(node, scalar, path);
    }
    const [text] =
      tag === undefined ? [] : (node.members.get(tag)?.texts ?? []);
    const found = variants.find(({ marks = [], tags }) =>
      tags === undefined
        ? marks.every((name) => node.members.has(name))
        : tags.some((each) => each === text),
    );
    if (found !== undefined) return this.#value(node, found.value, path);
    // The validator reports that the object is none of them.
    const fields = tag === undefined ? {} : ({ [tag]: "text" } as const);
    return this.#object(node, { fields }, path);
  }
}

const bracketNames = "names in brackets";
