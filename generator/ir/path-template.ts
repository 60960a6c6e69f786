/** A path such as `/{network}/rpc/`, split into literals and parameters. */
export interface PathTemplate {
  /**
   * The path as written, e.g. `/tokens/{network}/{contractAddress}/{tokenIDs}`.
   */
  readonly text: string;
  readonly segments: readonly PathSegment[];
}

/** A path segment: literal text, or a parameter with text around it. */
export type PathSegment =
  { readonly kind: "literal"; readonly text: string } | ParameterSegment;

/** A parameter such as `{id}`, or `v{id}.json` with a prefix and a suffix. */
export interface ParameterSegment {
  readonly kind: "parameter";
  readonly name: string;
  readonly prefix: string;
  readonly suffix: string;
}

const parameterPattern = /^([^{}]*)\{([A-Za-z_][A-Za-z0-9_]*)\}([^{}]*)$/u;

/**
 * Splits a path at its slashes. A segment contains one parameter `{name}` or
 * none. The last segment of a path that ends with a slash is empty.
 */
export function parsePathTemplate(text: string): PathTemplate {
  return { text, segments: text.replace(/^\//u, "").split("/").map(toSegment) };
}

function toSegment(text: string): PathSegment {
  const [match, prefix = "", name = "", suffix = ""] =
    parameterPattern.exec(text) ?? [];
  return match === undefined
    ? { kind: "literal", text }
    : { kind: "parameter", prefix, name, suffix };
}

/**
 * Returns the first segment that a REST path cannot have, or null. Clients and
 * hosts would change it: they encode other characters, and remove `.` and `..`.
 */
export function findWrongSegment({
  segments,
  text,
}: PathTemplate): string | null {
  const last = segments.length - 1;
  const wrong = segments.findIndex((segment, index) =>
    segment.kind === "parameter"
      ? otherText.test(segment.prefix + segment.suffix)
      : /^\.{1,2}$/u.test(segment.text) ||
        otherText.test(segment.text) ||
        (segment.text === "" && index < last),
  );
  return wrong === -1 ? null : (text.split("/")[wrong + 1] ?? "");
}

const otherText = /[^\w.~!$&'()*+,;=:@-]/u;

/** Returns the segments of a path, without the names of its parameters. */
export function shapeOf({ segments }: PathTemplate): string {
  return segments
    .map((segment) =>
      segment.kind === "literal"
        ? segment.text
        : `${segment.prefix}{}${segment.suffix}`,
    )
    .join("/");
}

/** Returns the names of a path's parameters, in order. */
export function pathParameters({ segments }: PathTemplate): readonly string[] {
  return segments.flatMap((segment) =>
    segment.kind === "parameter" ? segment.name : [],
  );
}

/** Returns the names of the placeholders in a path or an address. */
export function parametersIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/\{([^{}]*)\}/gu), ([, name = ""]) => name);
}
