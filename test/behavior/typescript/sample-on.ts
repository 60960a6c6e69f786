import { drawSome } from "../../support/draw-some.js";
import type { TestHost } from "./hosts.js";

/**
 * Gives each host its cases. The first host, which has no network, runs all. The
 * others only translate requests, so `npm test` runs a sample on them.
 */
export function sampleOn<Case>(
  hosts: readonly TestHost[],
  cases: readonly Case[],
): readonly (TestHost & { readonly sample: readonly Case[] })[] {
  return hosts.map((host, index) => ({
    ...host,
    sample: index === 0 ? cases : drawSome(cases, 8, index),
  }));
}
