import { isAlias, isMap, isNode, isScalar, isSeq, type Node } from "yaml";
import type {
  FormEntry,
  FormNode,
  FormText,
} from "../../../generator/1-parse/form/form-node.js";
import {
  parseYaml,
  spanOf,
  type YamlLimits,
} from "../../../generator/1-parse/form/read-yaml.js";
import type { Span } from "../../../generator/source/source.js";
import type { JsonFault } from "./read-json.js";

const limits: YamlLimits = {
  maxDepth: 200,
  deepBlock: /^[ \t?:]{400}|^[ \t]*(?:- ){200}/m,
};

/** The nodes that aliases may add to a document. */
const maxRepeated = 200_000;

/**
 * Parses YAML into nodes with spans. An alias is the same node as its anchor, so
 * that nested aliases ("billion laughs") take no memory.
 */
export function readYamlTree(text: string): FormNode | JsonFault {
  const contents = parseYaml(text, limits);
  return contents === null || isNode(contents)
    ? new TreeReader(text).read(contents)
    : contents;
}

/** A node, and how many nodes it has with its aliases replaced. */
interface Sized {
  readonly node: FormNode;
  readonly size: number;
}

class TreeReader {
  readonly #text: string;
  readonly #anchors = new Map<string, Sized | null>();
  #fault: JsonFault | null = null;
  #size = 0;
  #repeated = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(contents: Node | null): FormNode | JsonFault {
    const node = this.#node(contents, { start: 0, end: 0 });
    return this.#fault ?? node;
  }

  #node(node: unknown, around: Span): FormNode {
    const start = this.#size;
    this.#size += 1;
    if (isAlias(node)) return this.#alias(node.source, spanOf(node));
    const isValue = isMap(node) || isSeq(node) || isScalar(node);
    if (!isValue) return { kind: "null", span: around };
    const { anchor } = node;
    if (anchor !== undefined) this.#anchors.set(anchor, null);
    const value = this.#value(node);
    if (anchor !== undefined) {
      this.#anchors.set(anchor, { node: value, size: this.#size - start });
    }
    return value;
  }

  #alias(name: string, span: Span): FormNode {
    const target = this.#anchors.get(name);
    if (target === null) this.#fail(`alias \`${name}\` contains itself`, span);
    if (target === undefined || target === null) return { kind: "null", span };
    this.#size += target.size;
    this.#repeated += target.size;
    if (this.#repeated > maxRepeated) {
      this.#fail("the aliases of the document repeat too much", span);
    }
    return target.node;
  }

  #value(node: Node): FormNode {
    const span = spanOf(node);
    if (isMap(node)) {
      const entries = new Map<string, FormEntry>();
      const merged: FormNode[] = [];
      for (const pair of node.items) {
        const key = this.#node(pair.key, span);
        const value = this.#node(pair.value, key.span);
        if (key.kind !== "text") continue;
        if (key.text === "<<" && key.isVerbatim) {
          merged.push(...(value.kind === "list" ? value.items : [value]));
          continue;
        }
        if (entries.has(key.text)) {
          this.#fail(`key \`${key.text}\` is given twice`, key.span);
        }
        entries.set(key.text, { key, value });
      }
      this.#merge(merged, entries);
      return { kind: "map", span, entries };
    }
    if (isSeq(node)) {
      const items = node.items.map((item) => this.#node(item, span));
      return { kind: "list", span, items };
    }
    return isScalar(node)
      ? this.#scalar(node.value, span)
      : { kind: "null", span };
  }

  /**
   * Adds the entries of the maps of `<<`, as YAML 1.1 does. Keys of the map itself
   * and of earlier maps have precedence.
   */
  #merge(maps: readonly FormNode[], entries: Map<string, FormEntry>): void {
    for (const map of maps) {
      // Each merge copies entries, so it must not go on beyond a limit.
      if (this.#fault !== null) return;
      if (map.kind !== "map") {
        return this.#fail("expected a map or maps to merge", map.span);
      }
      for (const [name, entry] of map.entries) {
        if (!entries.has(name)) entries.set(name, entry);
      }
    }
  }

  #scalar(value: unknown, span: Span): FormNode {
    if (value === null || value === undefined) return { kind: "null", span };
    const written = this.#text.slice(span.start, span.end);
    const type = typeof value;
    const form: FormText["type"] =
      type === "boolean" || type === "number" ? type : "string";
    const text = form === "number" ? written : String(value);
    return {
      kind: "text",
      span,
      text,
      type: form,
      isVerbatim: written === text,
    };
  }

  #fail(message: string, span: Span): void {
    this.#fault ??= { message, span };
  }
}
