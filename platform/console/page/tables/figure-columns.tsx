import { Amount } from "../parts/amount.js";
import { numberText } from "../parts/count.js";
import type { Column } from "./data-table.js";

/** Returns a column for a number of each entry. */
export function numberColumn<Key extends string>(
  name: string,
  key: Key,
): Column<Readonly<Record<Key, number>>> {
  return { name, isNumeric: true, cell: (row) => numberText(row[key]) };
}

/** Returns a column for an amount of each entry, on the entry's chain. */
export function amountColumn<Key extends string>(
  name: string,
  key: Key,
): Column<Readonly<Record<Key, string>> & { readonly chainId: number }> {
  return {
    name,
    isNumeric: true,
    cell: (row) => <Amount value={row[key]} chainId={row.chainId} />,
  };
}
