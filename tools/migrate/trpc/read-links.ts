import type { ts } from "ts-morph";
import { propertiesOf } from "../change/properties.js";
import { UnsupportedCode } from "../change/unsupported-code.js";
import type { SymbolLookup } from "../change/uses.js";
import { oldNameOf } from "./declarations.js";

/** The link that sends the calls of a client. */
export interface SendingLink {
  /** The options of the link. */
  readonly options: ts.ObjectLiteralExpression;
  /** Links that log calls, which the new client does not have. */
  readonly loggers: readonly ts.Expression[];
  /** The option of the client that converts values, if it has one. */
  readonly transformer: ts.Expression | null;
}

/**
 * Finds the link of a client that sends calls.
 *
 * Errors: {@link UnsupportedCode} for links that have no equivalent.
 */
export function readLinks(
  creation: ts.CallExpression,
  lookup: SymbolLookup,
): SendingLink {
  const [options] = creation.arguments;
  const properties = propertiesOf(options, lookup.compiler);
  const other = properties.find(
    ({ name }) => name !== "links" && name !== "transformer",
  );
  if (other !== undefined) {
    throw new UnsupportedCode(
      other.node,
      `the option \`${other.name}\` has no equivalent`,
    );
  }
  const links = properties.find(({ name }) => name === "links")?.value;
  if (!links || !lookup.compiler.isArrayLiteralExpression(links)) {
    throw new UnsupportedCode(
      links ?? creation,
      "the links are not written here",
    );
  }
  const sending = new LinkReader(lookup).readAll(links.elements, links);
  const transformer = properties.find(({ name }) => name === "transformer");
  return transformer === undefined
    ? sending
    : { ...sending, transformer: transformer.value };
}

class LinkReader {
  readonly #lookup: SymbolLookup;

  constructor(lookup: SymbolLookup) {
    this.#lookup = lookup;
  }

  readAll(links: readonly ts.Expression[], place: ts.Node): SendingLink {
    const loggers: ts.Expression[] = [];
    for (const link of links) {
      if (this.#nameOf(link) !== "loggerLink") {
        const sending = this.#read(link);
        return { ...sending, loggers: [...loggers, ...sending.loggers] };
      }
      loggers.push(link);
    }
    throw new UnsupportedCode(place, "no link sends the calls");
  }

  #nameOf(link: ts.Expression): string {
    const { compiler } = this.#lookup;
    return compiler.isCallExpression(link)
      ? (oldNameOf(this.#lookup, link.expression) ?? "")
      : "";
  }

  #read(link: ts.Expression): SendingLink {
    const { compiler } = this.#lookup;
    const name = this.#nameOf(link);
    const [options] = compiler.isCallExpression(link) ? link.arguments : [];
    if (/^(?:unstable_)?http(?:Batch|BatchStream)?Link$/u.test(name)) {
      if (options && compiler.isObjectLiteralExpression(options)) {
        return { options, loggers: [], transformer: null };
      }
      throw new UnsupportedCode(
        options ?? link,
        "the options are not written here",
      );
    }
    if (name === "splitLink") return this.#readSplit(link, options);
    const shown = /^\w+/u.exec(link.getText())?.[0] ?? "this";
    throw new UnsupportedCode(link, `the link \`${shown}\` has no equivalent`);
  }

  /** Reads a link that sends some calls in another way. */
  #readSplit(
    link: ts.Expression,
    options: ts.Expression | undefined,
  ): SendingLink {
    const parts = new Map(
      propertiesOf(options, this.#lookup.compiler).map(
        ({ name, value }) => [name, value] as const,
      ),
    );
    const condition = parts.get("condition")?.getText() ?? "";
    const yes = this.#linksOf(parts.get("true"));
    const no = this.#linksOf(parts.get("false"));
    const isStream =
      /^\(?\{?\s*\w+\s*\}?\)?\s*=>\s*(?:\w+\.)*type\s*===?\s*["']subscription["']$/u;
    // Streams of the contract are requests of the same client.
    if (isStream.test(condition)) return this.readAll(no, link);
    const [first, second] = [this.readAll(yes, link), this.readAll(no, link)];
    if (this.#serverOf(first) !== this.#serverOf(second)) {
      throw new UnsupportedCode(
        link,
        "the client sends calls to different addresses",
      );
    }
    return second;
  }

  #linksOf(value: ts.Expression | undefined): readonly ts.Expression[] {
    if (value === undefined) return [];
    return this.#lookup.compiler.isArrayLiteralExpression(value)
      ? value.elements
      : [value];
  }

  /** Returns the options that are the same with and without batches. */
  #serverOf({ options }: SendingLink): string {
    return options.properties
      .map((each) => each.getText())
      .filter((each) => !/^max(?:URLLength|Items)\b/u.test(each))
      .toSorted()
      .join("\n");
  }
}
