import { codeOf, listNames } from "../../../../generator/diagnostics/names.js";
import type { AllowedValue } from "../../../../generator/ir/contract.js";
import type { Effects, Level } from "../facts/change.js";
import {
  breaksBoth,
  effectsIn,
  levelOfViolation,
  nounOf,
  type Shift,
} from "../facts/effects.js";
import { nameOf } from "../facts/names.js";
import type { AlternativeFault } from "../facts/pair-alternatives.js";
import type { UnionPair } from "../facts/paired-contracts.js";
import type { BreakingRule, BreakingRules } from "../facts/rule.js";

type FaultKind = AlternativeFault["kind"];

type FaultOf<Kind extends FaultKind> = Extract<
  AlternativeFault,
  { readonly kind: Kind }
>;

/** What happens to values of one version that the other version reads. */
interface Found<Kind extends FaultKind> {
  readonly fault: FaultOf<Kind>;
  /** `narrower`: values of the old version. `wider`: of the new version. */
  readonly shift: keyof Shift;
  readonly pair: UnionPair;
  /** The union in a finding, e.g. `` `Event` ``. */
  readonly name: string;
  /** The messages in a finding, e.g. `requests`. */
  readonly noun: string;
}

/** The effects of a fault, and its report. */
interface FaultReport {
  readonly effects: Effects;
  readonly message: string;
  readonly help: string;
}

/** Code that handles a removed variant does not compile. */
const mayBreakCode: Effects = {
  "client-source": "danger",
  "server-source": "danger",
};

/** Rules about unions, and about types that become or stop being one. */
export const unionRules = {
  "union-variant-no-delete": onFaults("unknown", ["narrower"], (found) => ({
    effects: { ...mayBreakCode, ...effectsOfUnknown(found, "error") },
    message: `${found.name} can no longer ${describe(found.fault)} in ${found.noun}`,
    help: "keep it until nothing sends it anymore",
  })),

  "union-variant-added": onFaults("unknown", ["wider"], (found) => ({
    effects: effectsOfUnknown(
      found,
      found.pair.before.kind === "union" ? "danger" : "error",
    ),
    message: `${found.name} can now also ${describe(found.fault)} in ${found.noun}`,
    help: "release the readers first, or use `+ open = true` for a union that may grow",
  })),

  "union-same-tag": onFaults("tag", ["narrower", "wider"], (found) => {
    const { reader, written } = found.fault;
    const [then, now] =
      found.shift === "narrower" ? [written, reader] : [reader, written];
    return {
      effects: effectsIn(
        found.pair.flow,
        { [found.shift]: "error" },
        breaksBoth,
      ),
      message: `the tag of ${found.name} was ${codeOf(then)} and is now ${codeOf(now)} in ${found.noun}`,
      help: `keep the tag ${codeOf(then)}`,
    };
  }),

  "union-same-variant": onFaults("misread", ["narrower", "wider"], (found) => {
    const { fault, name, noun, pair, shift } = found;
    const [written, reader] = [fault.written, fault.reader].map((each) =>
      codeOf(each.name),
    );
    const level = pair.sharedTag === null ? "error" : "danger";
    return {
      effects: effectsIn(
        pair.flow,
        { [shift]: level },
        { narrower: "danger", wider: "danger" },
      ),
      message:
        shift === "narrower"
          ? `the old ${written} of ${name} is read as the new ${reader} in ${noun}`
          : `the new ${written} of ${name} is read as the old ${reader} in ${noun}`,
      help: "keep what tells the variants apart: their tags, or their required fields",
    };
  }),

  "union-same-choice": onFaults("choice", ["narrower", "wider"], (found) => {
    const { fault, name, noun, shift } = found;
    const change = shift === "narrower" ? "now requires" : "no longer requires";
    return {
      effects: effectsIn(found.pair.flow, { [shift]: levelOf(found) }),
      message: `${name} ${change} exactly one of ${listNames(fault.names)} in ${noun}`,
      help: "keep the fields of the choice",
    };
  }),

  "union-no-close": onFaults("closed", ["narrower"], (found) => ({
    effects: effectsIn(
      found.pair.flow,
      { narrower: levelOf(found) },
      { narrower: "danger", wider: "danger" },
    ),
    message: `${found.name} no longer accepts unknown tags in ${found.noun}`,
    help: "keep `+ open = true`",
  })),

  "union-no-open": onFaults("closed", ["wider"], (found) => ({
    effects: effectsIn(
      found.pair.flow,
      { wider: levelOf(found) },
      { wider: "danger" },
    ),
    message: `${found.name} now accepts unknown tags in ${found.noun}`,
    help: "make sure that no reader relies on the tags that it knows",
  })),
} satisfies BreakingRules;

/** Creates a rule about faults of one kind. */
function onFaults<Kind extends FaultKind>(
  kind: Kind,
  shifts: readonly (keyof Shift)[],
  report: (found: Found<Kind>) => FaultReport,
): BreakingRule {
  const isOfKind = (fault: AlternativeFault): fault is FaultOf<Kind> =>
    fault.kind === kind;
  return ({ unions }) =>
    unions.flatMap((pair) =>
      shifts.flatMap((shift) =>
        pair.faults[shift].filter(isOfKind).map((fault) => {
          const name = `${pair.part}${nameOf(pair.subjects.after)}`;
          const noun = nounOf[pair.flow];
          return {
            ...report({ fault, shift, pair, name, noun }),
            ...pair.subjects,
            path: pair.path,
          };
        }),
      ),
    );
}

function effectsOfUnknown(found: Found<"unknown">, code: Level): Effects {
  const { fault, pair, shift } = found;
  // An open union accepts the values, but a server does not act on them.
  const accepted = pair.flow === "request" ? "danger" : undefined;
  const level = fault.isAccepted ? accepted : levelOfUnknown(found);
  return effectsIn(pair.flow, { [shift]: level }, { [shift]: code });
}

/** Clients fail to read other values than objects if a union has a tag. */
function levelOfUnknown(found: Found<"unknown">): Level {
  const { fault, pair, shift } = found;
  const { value } = shift === "narrower" ? pair.after : pair.before;
  const hasTag = value.kind === "union" && value.declaration.tag !== null;
  const { kinds } = fault.written;
  const isObject = kinds.size === 1 && kinds.has("object");
  return hasTag && !isObject ? "error" : levelOf(found);
}

/** Returns the level of values that the reader does not expect. */
function levelOf({
  pair,
  shift,
}: Pick<Found<"closed">, "pair" | "shift">): Level {
  const reader = shift === "narrower" ? pair.after : pair.before;
  // Clients only fail to read the values of types that are no unions.
  return reader.kind === "union" ? levelOfViolation(pair.flow) : "error";
}

/** Describes unknown values, e.g. `` be `Circle` ``. */
function describe({ tags, written }: FaultOf<"unknown">): string {
  return tags === null
    ? `be ${codeOf(written.name)}`
    : `have the tag ${listNames(tags.map(print), "or")}`;
}

function print(tag: AllowedValue): string {
  return typeof tag === "bigint" ? String(tag) : JSON.stringify(tag);
}
