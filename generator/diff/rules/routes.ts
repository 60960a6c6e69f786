import { allMethods } from "../../ir/methods-of.js";
import {
  type ParameterSegment,
  type PathSegment,
  parsePathTemplate,
} from "../../ir/path-template.js";
import { type ContractValues, valuesOf } from "../../values/value.js";
import type { Contract, Method, Route } from "../../ir/contract.js";
import {
  type CodeModes,
  describeValue,
  type WireValue,
} from "../facts/value.js";
import { nameOf } from "../facts/names.js";
import type { PlacedMethod } from "../facts/paired-contracts.js";
import { type BreakingRules, keptMethod } from "../facts/rule.js";
import { fitsAround, fitsSegment, type TextsAround } from "../facts/sets.js";

/** Rules about paths that match the same calls. */
export const routeRules = {
  // A literal in a path takes precedence over a parameter with the same value,
  // and so does a parameter with more text around it.
  "route-no-shadow": keptMethod(({ before, after }, contracts) => {
    const { modes } = contracts;
    const then = findShadows(before, contracts.before, modes.before);
    const now = findShadows(after, contracts.after, modes.after);
    const [come] = now.filter((path) => !then.includes(path));
    const [gone] = then.filter((path) => !now.includes(path));
    const shadow = come ?? gone;
    if (
      shadow === undefined ||
      pathOf(before.method.route) !== pathOf(after.method.route)
    )
      return false;
    return {
      effects: { wire: "error", "wire-strict": "error" },
      message: `\`${shadow}\` ${come === undefined ? "no longer receives" : "receives"} some calls to ${nameOf(after.subject)} at \`${pathOf(after.method.route)}\``,
      help: "choose a path that no parameter value can match",
    };
  }),
} satisfies BreakingRules;

function pathOf(route: Route): string {
  if (route.kind === "webhook") return "";
  return route.kind === "rest" ? route.path.text : route.path;
}

function verbOf({ route }: Method): string {
  return route.kind === "rest" ? route.verb : "POST";
}

/** Finds paths of other methods that receive calls for this one. */
function findShadows(
  placed: PlacedMethod,
  contract: Contract,
  modes: CodeModes,
): readonly string[] {
  const segments = ({ route }: Method): readonly PathSegment[] =>
    parsePathTemplate(pathOf(route)).segments;
  const own = segments(placed.method);
  const valueOf = (name: string): SegmentValue | null =>
    segmentValue(name, placed, valuesOf(contract), modes);
  return allMethods(contract.hosts)
    .filter((method) => verbOf(method) === verbOf(placed.method))
    .filter((method) => {
      const rivals = segments(method);
      return (
        rivals.length === own.length &&
        takesPrecedence(rivals, own) &&
        rivals.every((rival, place) => {
          const segment = own[place];
          return segment !== undefined && canShare(segment, rival, valueOf);
        })
      );
    })
    .map(({ route }) => pathOf(route));
}

/** The value of a segment. Commas separate the items of a list. */
interface SegmentValue {
  readonly isList: boolean;
  /** The value, or an item of a list. */
  readonly item: WireValue;
}

/** Returns the value of a path's field, or null for other parameters. */
function segmentValue(
  name: string,
  { method: { request, route }, subject }: PlacedMethod,
  values: ContractValues,
  modes: CodeModes,
): SegmentValue | null {
  const field = request.fields.find(({ jsonName }) => jsonName === name);
  if (route.kind !== "rest" || !field) return null;
  const value = values.valueOf(field.type);
  const isList = value.kind === "list";
  const part = isList ? { type: value.element, constraints: {} } : field;
  const source = {
    ...part,
    subject,
    form: "path",
    isRequired: true,
    isItem: false,
  } as const;
  return { isList, item: describeValue(source, values, modes) };
}

/** Whether a request for one segment also fits another one. */
function canShare(
  own: PathSegment,
  rival: PathSegment,
  valueOf: (name: string) => SegmentValue | null,
): boolean {
  if (own.kind === "literal") {
    return rival.kind === "literal"
      ? own.text === rival.text
      : textWithin(own.text, rival) !== "";
  }
  if (rival.kind === "literal") {
    const text = textWithin(rival.text, own);
    const value = valueOf(own.name);
    if (text === "" || value === null) return text !== "";
    const items = value.isList ? text.split(",") : [text];
    return items.every((item) => isSent(item) && fitsSegment(item, value.item));
  }
  const around = textsAround(own, rival);
  const value = valueOf(own.name);
  if (around === null || value === null) return around !== null;
  const { end, start } = around;
  if (value.isList) {
    // The first and the last item can differ.
    const parts = [
      { ...around, end: "" },
      { ...around, start: "" },
    ];
    return parts.every((part) => fitsAround(part, value.item));
  }
  return isSent(start + end) && fitsAround(around, value.item);
}

/** Whether clients send a text as it is, without percent-encoding. */
function isSent(text: string): boolean {
  return encodeURIComponent(text) === text;
}

/** Returns the text in place of a parameter, or "" if the segment differs. */
function textWithin(
  segment: string,
  { prefix, suffix }: ParameterSegment,
): string {
  return segment.startsWith(prefix) && segment.endsWith(suffix)
    ? segment.slice(prefix.length, segment.length - suffix.length)
    : "";
}

/**
 * Returns what is around the values of one parameter that are also requests for
 * another one, or null if there are none.
 */
function textsAround(
  own: ParameterSegment,
  rival: ParameterSegment,
): TextsAround | null {
  const isLonger =
    rival.prefix.startsWith(own.prefix) || own.prefix.startsWith(rival.prefix);
  const isLater =
    rival.suffix.endsWith(own.suffix) || own.suffix.endsWith(rival.suffix);
  if (!isLonger || !isLater) return null;
  const start = rival.prefix.slice(own.prefix.length);
  const length = Math.max(rival.suffix.length - own.suffix.length, 0);
  const end = rival.suffix.slice(0, length);
  const fixed = rival.prefix.length + rival.suffix.length;
  const known = own.prefix.length + own.suffix.length + start.length + length;
  return { start, end, gap: Math.max(fixed + 1 - known, 0) };
}

/**
 * Whether the first path takes precedence over the second: at the first
 * position where they differ in this, the first path has literal text, or a
 * parameter with more text around it, or with more text before it.
 */
function takesPrecedence(
  one: readonly PathSegment[],
  other: readonly PathSegment[],
): boolean {
  const lengths = other.flatMap(textLengths);
  const difference = one
    .flatMap(textLengths)
    .map((length, at) => length - (lengths[at] ?? 0))
    .find((each) => each !== 0);
  return difference !== undefined && difference > 0;
}

function textLengths(segment: PathSegment): readonly number[] {
  if (segment.kind === "literal") return [1, 0, 0];
  const { prefix, suffix } = segment;
  return [0, prefix.length + suffix.length, prefix.length];
}
