import type { Subject } from "../diff/index.js";
import type { Contract } from "../ir/contract.js";
import { findReachable } from "../ir/reachable-types.js";
import { createIndex } from "../ir/resolve.js";

/**
 * Returns a function that checks whether something belongs only to webhooks.
 */
export function findReceived(
  contract: Contract,
): (subject: Subject) => boolean {
  const index = createIndex(contract);
  const services = contract.hosts.flatMap((host) => host.services);
  const isOutbound = (name: string): boolean =>
    services.some(
      (each) => each.name === name && each.direction === "outbound",
    );
  const reach = (direction: "inbound" | "outbound"): ReadonlySet<string> =>
    findReachable(
      services.filter((each) => each.direction === direction),
      index,
    );
  const received = reach("outbound");
  const called = reach("inbound");
  const isReceivedType = (name: string): boolean =>
    received.has(name) && !called.has(name);
  return (subject) => {
    switch (subject.kind) {
      case "host":
      case "error":
        return false;
      case "service":
      case "method":
        return isOutbound(subject.service);
      case "argument":
        return isOutbound(subject.method.service);
      case "type":
        return isReceivedType(subject.name);
      case "member":
        return isReceivedType(subject.type);
    }
  };
}
