import type { DocumentPart } from "../../read/document-part.js";
import type { NoteLog } from "../../notes/note.js";
import type { Meta } from "../../model/model.js";
import type { SchemaView } from "./schema-view.js";

/** One end of the values that a schema allows. */
interface Bound {
  readonly part: DocumentPart;
  /** In the notation of the document. */
  readonly text: string;
  readonly isExclusive: boolean;
}

const sides = [
  ["minimum", "exclusiveMinimum", 1],
  ["maximum", "exclusiveMaximum", -1],
] as const;

/** Returns the limits on numbers, of which the strictest layer counts. */
export function decimalLimits(
  view: SchemaView,
  notes: NoteLog,
): readonly Meta[] {
  return sides.flatMap(([key, exclusiveKey, step]) => {
    const [strictest] = boundsOf(view, key, exclusiveKey).toSorted(
      (one, other) =>
        step * (Number(other.text) - Number(one.text)) ||
        Number(other.isExclusive) - Number(one.isExclusive),
    );
    if (strictest === undefined) return [];
    const value = String(Number(strictest.text));
    if (strictest.isExclusive) {
      const message = `RIDL has no \`${exclusiveKey}\` for decimals`;
      notes.add("value", strictest.part, message, `${key} ${value}, inclusive`);
    }
    return [{ key, value }];
  });
}

/**
 * Returns the limits on integers between `least` and `most`, of which the
 * strictest layer counts. Those that allow all of them are left out.
 */
export function integerLimits(
  view: SchemaView,
  { least, most }: { readonly least: bigint; readonly most: bigint },
): readonly Meta[] {
  return sides.flatMap(([key, exclusiveKey, step]) => {
    const inclusive = boundsOf(view, key, exclusiveKey).map((bound) =>
      nearestInteger(bound, step),
    );
    const start = step > 0 ? least : most;
    const strictest = inclusive.reduce(
      (best, next) => ((step > 0 ? next > best : next < best) ? next : best),
      start,
    );
    return strictest === start ? [] : [{ key, value: String(strictest) }];
  });
}

function boundsOf(
  view: SchemaView,
  key: string,
  exclusiveKey: string,
): readonly Bound[] {
  return view.layers.flatMap((layer) => {
    const exclusive = layer.get(exclusiveKey);
    // In OpenAPI 3.0, it says whether the other keyword is exclusive.
    const isFlag = exclusive?.isTrue === true;
    return [
      { part: layer.get(key), isExclusive: isFlag },
      { part: isFlag ? null : exclusive, isExclusive: true },
    ].flatMap(({ part, isExclusive }): readonly Bound[] => {
      const isNumber =
        part?.node.kind === "text" && part.node.type === "number";
      const text = part?.text ?? "";
      return part && isNumber && Number.isFinite(Number(text))
        ? [{ part: isFlag && exclusive ? exclusive : part, text, isExclusive }]
        : [];
    });
  });
}

/** Returns the nearest integer that a bound allows. */
function nearestInteger({ isExclusive, text }: Bound, step: 1 | -1): bigint {
  const [, whole] = /^(-?[0-9]+)(?:\.0*)?$/u.exec(text) ?? [];
  const value = Number(text);
  if (whole === undefined && !Number.isInteger(value)) {
    return BigInt(step > 0 ? Math.ceil(value) : Math.floor(value));
  }
  const exact = BigInt(whole ?? value);
  return isExclusive ? exact + BigInt(step) : exact;
}
