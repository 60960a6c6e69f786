import { queryOptions, useQuery } from "@tanstack/react-query";
import * as Value from "ox/Value";
import type { ConsoleNetwork } from "../../generated/types.js";
import { operators } from "./console-api.js";

/** All networks of the platform, which do not change while it runs. */
export const networksQuery = queryOptions({
  ...operators.listNetworks.queryOptions(),
  staleTime: Infinity,
});

/** Returns all networks of the platform, or none until they are loaded. */
export function useNetworks(): readonly ConsoleNetwork[] {
  const { data } = useQuery(networksQuery);
  return data?.networks ?? [];
}

/**
 * Returns the network with the given chain ID, or undefined if it is unknown.
 */
export function useNetwork(chainId: number): ConsoleNetwork | undefined {
  return useNetworks().find((network) => network.chainId === chainId);
}

/**
 * Formats an amount in a network's native currency without rounding it.
 *
 * Returns, for example, `1.5 POL`, or `1500000000000000000` if the network is
 * unknown.
 */
export function amountText(
  amount: bigint,
  network: ConsoleNetwork | undefined,
): string {
  if (network === undefined) return amount.toString();
  const text = Value.format(amount, network.nativeDecimals);
  return `${text} ${network.nativeSymbol}`;
}

/** Formats an amount as a user would type it, such as `1.5`. */
export function typedAmount(
  amount: string,
  network: ConsoleNetwork | undefined,
): string {
  if (network === undefined) return amount;
  return Value.format(BigInt(amount), network.nativeDecimals);
}

/**
 * Converts an amount that the user typed to the smallest unit. Returns any
 * other text unchanged, so that the schema rejects it.
 */
export function smallestUnits(text: string, decimals: number): string {
  const [, fraction = ""] = /^\d+(?:\.(\d+))?$/u.exec(text) ?? [];
  return /^\d+(\.\d+)?$/u.test(text) && fraction.length <= decimals
    ? Value.from(text, decimals).toString()
    : text;
}
