import { Chain } from "../parts/amount.js";
import { OrDash } from "../parts/facts.js";
import { Moment } from "../parts/moment.js";
import type { Column } from "./data-table.js";

/** A column for the ID of each entry. */
export const idColumn: Column<{ readonly id: number }> = {
  name: "ID",
  isNumeric: true,
  cell: ({ id }) => id,
};

/** A column for the chain of each entry. */
export const chainColumn: Column<{ readonly chainId: number }> = {
  name: "Chain",
  cell: ({ chainId }) => <Chain id={chainId} />,
};

/** A column for the reason of each entry's state. */
export const reasonColumn: Column<{ readonly reason?: string }> = {
  name: "Reason",
  cell: ({ reason }) => <OrDash text={reason} />,
};

/** A column for the time when each entry was created. */
export const createdColumn: Column<{ readonly createdAt: string }> = {
  name: "Created",
  cell: ({ createdAt }) => <Moment at={createdAt} />,
};

/** A column for the time of each event. */
export const whenColumn = { ...createdColumn, name: "When" };

/** A column for the time when each entry was last changed. */
export const changedColumn: Column<{ readonly updatedAt: string }> = {
  name: "Changed",
  cell: ({ updatedAt }) => <Moment at={updatedAt} />,
};
