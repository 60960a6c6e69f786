import { amountText, useNetwork } from "../api/networks.js";

/**
 * An amount of a chain's native currency. The title shows it in the smallest
 * unit.
 */
export function Amount({
  value,
  chainId,
}: {
  /** Decimal digits, in the smallest unit. */
  readonly value: string;
  readonly chainId: number;
}) {
  const network = useNetwork(chainId);
  return (
    <data
      className="amount"
      value={value}
      title={`${value} of the smallest unit`}
    >
      {amountText(BigInt(value), network)}
    </data>
  );
}

/** Shows a chain's handle or, if the chain is unknown, its ID. */
export function Chain({ id }: { readonly id: number }) {
  const network = useNetwork(id);
  return <span title={`Chain ID ${id}`}>{network?.handle ?? id}</span>;
}
