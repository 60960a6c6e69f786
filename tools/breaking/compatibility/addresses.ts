import type { MethodSubject } from "../diff/facts/change.js";
import type { Host, Method } from "../../../generator/ir/contract.js";
import { methodsOf } from "../../../generator/ir/methods-of.js";
import {
  parsePathTemplate,
  type PathSegment,
  shapeOf,
} from "../../../generator/ir/path-template.js";
import { wireOf } from "../../../generator/wire/wire-of.js";
import type { GoneAddress } from "../../../generator/values/history.js";

/** The verb and path of a method. */
export type MethodAddress = Pick<GoneAddress, "path" | "verb">;

/** Returns the address of a method. Webhooks have none. */
export function methodAddress(method: Method): MethodAddress | null {
  const { address } = wireOf(method);
  return address && { verb: address.verb, path: address.template.text };
}

/** Returns the same text for addresses that differ in names only. */
export function keyOf(address: MethodAddress | null): string {
  return address === null
    ? ""
    : `${address.verb} ${shapeOf(parsePathTemplate(address.path))}`;
}

/**
 * Returns the methods of a host that can receive calls to an address which is no
 * longer that of its method, e.g. `Shop.Buy`. Input: the method that moved, or
 * null if it was removed.
 */
export function methodsReceiving(
  { path, verb }: MethodAddress,
  moved: MethodSubject | null,
  { services }: Host,
): readonly string[] {
  const { segments } = parsePathTemplate(path);
  return methodsOf(services).flatMap((method) => {
    const { name, service } = method;
    const isMoved = service === moved?.service && name === moved.method;
    const other = methodAddress(method);
    const isReceiving =
      !isMoved &&
      !method.isClientOnly &&
      other?.verb === verb &&
      covers(parsePathTemplate(other.path).segments, segments);
    return isReceiving ? [`${service}.${name}`] : [];
  });
}

/** Whether all paths of one template are also paths of another. */
function covers(
  wide: readonly PathSegment[],
  narrow: readonly PathSegment[],
): boolean {
  return (
    wide.length === narrow.length &&
    wide.every((segment, index) => {
      const other = narrow[index];
      return other !== undefined && coversSegment(segment, other);
    })
  );
}

function coversSegment(wide: PathSegment, narrow: PathSegment): boolean {
  if (wide.kind === "literal")
    return narrow.kind === "literal" && narrow.text === wide.text;
  if (narrow.kind === "literal")
    return (
      narrow.text.startsWith(wide.prefix) && narrow.text.endsWith(wide.suffix)
    );
  return (
    narrow.prefix.startsWith(wide.prefix) && narrow.suffix.endsWith(wide.suffix)
  );
}
