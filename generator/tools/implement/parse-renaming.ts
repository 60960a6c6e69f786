import { camelCase } from "../../4-emit/names/casing.js";
import type { HandledMethod, HandledService } from "./handler-methods.js";
import type { Renaming } from "./rename-methods.js";

/**
 * Parses a renaming.
 * Input: `GetPrice=FindPrice`, with names of methods or of properties. If
 * several services have such a method, a service comes first, as in
 * `Shop/GetPrice=FindPrice`.
 * Returns the renaming, or an error message.
 */
export function parseRenaming(
  text: string,
  services: readonly HandledService[],
): Renaming | string {
  const form = /^(?:(.+)[/.])?([^=/.]+)=([^=/.]+)$/u.exec(text);
  if (form === null) {
    return `\`${text}\` is not a renaming such as \`GetPrice=FindPrice\``;
  }
  const [, service, from = "", to = ""] = form;
  const methods = services
    .filter((each) => service === undefined || isNamed(each, service))
    .flatMap((each) => each.methods);
  if (methods.length === 0) return `there is no service \`${service}\``;
  const before = methods.filter((method) => isCalled(method, from));
  const named = methods.filter((method) => isCalled(method, to));
  // Another service may have a method with the old name, which does not change.
  const targets = named.filter(
    ({ service }) => !before.some((method) => method.service === service),
  );
  const [target, other] = targets;
  if (target === undefined) {
    const [kept] = before;
    return kept === undefined
      ? `the contract has no method \`${to}\``
      : `the contract still has the method \`${kept.title}\``;
  }
  return other === undefined
    ? { from, to: target }
    : `\`${target.title}\` and \`${other.title}\` are both named \`${to}\`; write \`${target.service.service.name}/${from}=${to}\``;
}

function isNamed({ service }: HandledService, name: string): boolean {
  return service.service.name === name || service.names.property === name;
}

function isCalled({ method, property }: HandledMethod, name: string): boolean {
  return method.method.name === name || property === camelCase(name);
}
