import type { Field } from "../../../../generator/ir/contract.js";
import { jsonNameLine } from "../../../../generator/ir/json-name.js";
import type { ChangeEffect, Side } from "../facts/change.js";
import {
  breaksBoth,
  effectsIn,
  nounOf,
  type Shift,
  sideOf,
} from "../facts/effects.js";
import { nameOf } from "../facts/names.js";
import { nullAsEmptyTurnedOff, nullAsEmptyTurnedOn } from "./null-as-empty.js";
import type { ObjectPair } from "../facts/paired-contracts.js";
import type { Pair } from "../facts/pairing.js";
import {
  allRules,
  type BreakingRule,
  type BreakingRules,
} from "../facts/rule.js";

/** The effects of a field's change, and its report. */
interface FieldFinding {
  readonly wire: Shift;
  readonly code?: Shift;
  readonly message: string;
  readonly help: string;
}

/** Creates a rule about objects in requests, or in all other messages. */
function inObjects(
  side: Side,
  find: (object: ObjectPair, noun: string) => readonly ChangeEffect[],
): BreakingRule {
  return ({ objects }) =>
    objects
      .filter(({ flow }) => sideOf(flow) === side)
      .flatMap((object) =>
        find(object, nounOf[object.flow]).map((found) => ({
          ...found,
          path: object.path,
        })),
      );
}

/** Creates a rule about added fields. */
function onAdded(
  side: Side,
  describe: (field: Field, name: string, noun: string) => FieldFinding | false,
): BreakingRule {
  return inObjects(side, ({ fields, subjects, flow }, noun) =>
    fields.added.flatMap(({ field, subject }) => {
      const finding = describe(field, nameOf(subject), noun);
      if (!finding) return [];
      const { wire, code, ...words } = finding;
      const effects = effectsIn(flow, wire, code);
      const place = { before: subjects.before, after: subject };
      return { ...words, ...place, effects, field: field.jsonName };
    }),
  );
}

/** Creates a rule about removed fields. */
function onRemoved(
  side: Side,
  use: "sends" | "reads",
  wireShift: (field: Field) => Shift,
): BreakingRule {
  return inObjects(side, ({ fields, subjects, flow }, noun) =>
    fields.removed.map(({ field, subject }) => ({
      effects: effectsIn(flow, wireShift(field), breaksBoth),
      message: `${nameOf(subject)} was removed from ${noun}`,
      before: subject,
      after: subjects.after,
      field: field.jsonName,
      help:
        `mark it \`+ deprecated\`, and keep it until no client ${use} it` +
        (field.isExtra
          ? ""
          : `; if it was renamed, add \`${jsonNameLine(field.jsonName)}\` to the new field`),
    })),
  );
}

/**
 * Describes a change to a field that is in both contracts, or returns false if
 * there is nothing to report.
 */
type DescribeChange = (
  pair: Pair<Field>,
  name: string,
  noun: string,
) => Omit<FieldFinding, "help"> | false;

/** Creates a rule about fields that are in both contracts. */
function onKept(
  side: Side,
  describe: DescribeChange,
  help: string,
): BreakingRule {
  return inObjects(side, ({ fields, flow, isInPath }, noun) =>
    fields.kept.flatMap(({ before, after }) => {
      const pair = { before: before.field, after: after.field };
      const finding = describe(pair, nameOf(after.subject), noun);
      if (!finding) return [];
      const { wire, code, message } = finding;
      return {
        // A path segment is always present.
        effects: effectsIn(flow, isInPath ? {} : wire, code),
        message,
        before: before.subject,
        after: after.subject,
        field: after.field.jsonName,
        help,
      };
    }),
  );
}

const becameRequired: DescribeChange = ({ before, after }, name, noun) =>
  before.isOptional &&
  !after.isOptional && {
    wire: after.isExtra ? {} : { narrower: "error" },
    code: { narrower: "error" },
    message: `${noun} now require ${name}`,
  };

const becameOptional: DescribeChange = ({ before, after }, name, noun) =>
  !before.isOptional &&
  after.isOptional && {
    wire: after.isExtra ? {} : { wider: "error" },
    code: { wider: "error" },
    message: `${name} is now optional in ${noun}`,
  };

const forbidsNull: DescribeChange = ({ before, after }, name, noun) =>
  onlyFirstIsNullable(before, after) && {
    wire: isOptionalInBoth(before, after)
      ? changesMeaning
      : { narrower: after.isOptional ? undefined : "error" },
    code: { narrower: "error" },
    message: `${name} can no longer be null in ${noun}`,
  };

const allowsNull: DescribeChange = ({ before, after }, name, noun) =>
  onlyFirstIsNullable(after, before) && {
    wire: isOptionalInBoth(before, after)
      ? changesMeaning
      : { wider: before.isOptional ? undefined : "error" },
    code: { wider: "error" },
    message: `${name} can now be null in ${noun}`,
  };

/**
 * A field that is optional but not nullable reads null as if it were absent, so
 * one side means null and the other means absent. This loses nothing unless the
 * nullable field can be absent, too.
 */
const changesMeaning: Shift = { narrower: "danger", wider: "danger" };

function isOptionalInBoth(before: Field, after: Field): boolean {
  return before.isOptional && after.isOptional;
}

/** Whether only the first field accepts null. `any` and `null` always do. */
function onlyFirstIsNullable(one: Field, { isNullable, type }: Field): boolean {
  const holdsNull =
    type.kind === "scalar" && (type.name === "any" || type.name === "null");
  return one.isNullable && !isNullable && !holdsNull;
}

/** Creates a rule about items of lists and maps, in which null changed. */
function onItems(
  side: Side,
  change: "allows" | "forbids",
  help: string,
): BreakingRule {
  const isForbidden = change === "forbids";
  return ({ values }) =>
    values
      .filter(({ before, after, flow }) => {
        const [one, other] = isForbidden ? [before, after] : [after, before];
        const holdsNull = other.content === "any" || other.content === "null";
        return (
          sideOf(flow) === side &&
          one.isNullableItem &&
          !other.isNullableItem &&
          !holdsNull
        );
      })
      .map(({ flow, part, path, subjects }) => ({
        effects: effectsIn(
          flow,
          isForbidden ? { narrower: "error" } : { wider: "error" },
          isForbidden ? { narrower: "error" } : { wider: "error" },
        ),
        message: `${part}${nameOf(subjects.after)} can ${isForbidden ? "no longer" : "now"} be null in ${nounOf[flow]}`,
        ...subjects,
        path,
        help,
      }));
}

function onWire({ isExtra, jsonName }: Field): string {
  return isExtra ? "the extra members" : `\`${jsonName}\``;
}

/** Rules about fields of requests and responses. */
export const fieldRules = {
  "request-field-no-add-required": onAdded(
    "request",
    ({ isExtra, isOptional, name }, path, noun) =>
      !isOptional && {
        wire: { narrower: isExtra ? undefined : "error", wider: "danger" },
        code: { narrower: "error" },
        message: `${noun} require the new field ${path}`,
        help: `make it optional: \`${name}?\``,
      },
  ),

  // Old servers ignore the field, so clients do not get what they ask for.
  "request-field-added": onAdded(
    "request",
    ({ isOptional }, path, noun) =>
      isOptional && {
        wire: { wider: "danger" },
        message: `${noun} have the new optional field ${path}`,
        help: "release the server before clients that send it",
      },
  ),

  "response-field-add-required": onAdded(
    "response",
    ({ isExtra, isOptional }, path, noun) =>
      !isOptional && {
        wire: isExtra ? {} : { narrower: "error" },
        code: { narrower: "error" },
        message: `${noun} require the new field ${path}`,
        help: "release the server before clients that rely on it",
      },
  ),

  // New servers ignore the field, so old clients do not get what they ask for.
  "request-field-no-delete": onRemoved(
    "request",
    "sends",
    ({ isExtra, isOptional }) => ({
      narrower: "danger",
      wider: isExtra || isOptional ? undefined : "error",
    }),
  ),
  "response-field-no-delete": onRemoved("response", "reads", (field) => ({
    wider: field.isExtra || field.isOptional ? "danger" : "error",
  })),

  "request-field-optional-to-required": onKept(
    "request",
    becameRequired,
    "keep it optional, and give it a default on the server",
  ),
  "response-field-optional-to-required": onKept(
    "response",
    becameRequired,
    "release the server before clients that rely on it",
  ),

  "request-field-required-to-optional": onKept(
    "request",
    becameOptional,
    "release the server before clients that omit it",
  ),
  "response-field-required-to-optional": onKept(
    "response",
    becameOptional,
    "keep it required, and send a special value if there is none",
  ),

  "request-field-no-forbid-null": allRules(
    onKept("request", forbidsNull, "keep `+ nullable = true`"),
    onItems("request", "forbids", "keep `+ nullable = true`"),
    nullAsEmptyTurnedOff("request"),
  ),
  "response-field-no-forbid-null": allRules(
    onKept(
      "response",
      forbidsNull,
      "release the server before clients that rely on a value",
    ),
    onItems(
      "response",
      "forbids",
      "release the server before clients that rely on a value",
    ),
    nullAsEmptyTurnedOff("response"),
  ),

  "request-field-no-allow-null": allRules(
    onKept(
      "request",
      allowsNull,
      "release the server before clients that send null",
    ),
    onItems(
      "request",
      "allows",
      "release the server before clients that send null",
    ),
    nullAsEmptyTurnedOn,
  ),
  "response-field-no-allow-null": allRules(
    onKept(
      "response",
      allowsNull,
      "add an optional field for the new meaning, and keep this one",
    ),
    onItems(
      "response",
      "allows",
      "add an optional field for the new meaning, and keep this one",
    ),
  ),

  "field-same-json-name": ({ objects }) =>
    objects.flatMap(({ renamed, flow, path }) =>
      renamed.map(({ before, after }) => ({
        effects: effectsIn(
          flow,
          {
            narrower: after.field.isOptional ? "danger" : "error",
            wider: before.field.isOptional ? "danger" : "error",
          },
          breaksBoth,
        ),
        message: `${nameOf(after.subject)} was ${onWire(before.field)} on the wire and is now ${onWire(after.field)}`,
        before: before.subject,
        after: after.subject,
        path,
        field: after.field.jsonName,
        help: before.field.isExtra
          ? "add `+ extra = true`, or add a field for the new name"
          : after.field.isExtra
            ? "remove `+ extra`, or add a field for the extra members"
            : `add \`${jsonNameLine(before.field.jsonName)}\`, or add a field for the new name`,
      })),
    ),

  // In a path, and as the whole body, a field has no name on the wire.
  "field-same-name": ({ objects }) =>
    objects.flatMap(({ fields, flow, path }) =>
      fields.kept
        .filter(
          ({ before, after }) => before.field.jsonName !== after.field.jsonName,
        )
        .map(({ before, after }) => ({
          effects: effectsIn(flow, {}, breaksBoth),
          message: `${nameOf(before.subject)} was renamed to \`${after.field.jsonName}\``,
          before: before.subject,
          after: after.subject,
          path,
          help: `keep the name \`${before.field.jsonName}\``,
        })),
    ),
} satisfies BreakingRules;
