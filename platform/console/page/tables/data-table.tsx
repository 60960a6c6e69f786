import type { ReactNode } from "react";

/** A column of a table. */
export interface Column<Row> {
  readonly name: string;
  /** Whether its cells are numbers, which are right-aligned. */
  readonly isNumeric?: boolean;
  /**
   * Whether its cells contain buttons. If so, only screen readers announce the
   * column's name.
   */
  readonly isActions?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

/** Properties of a table. */
export interface DataTableProps<Row> {
  /** A name for the rows, e.g. `Access keys`. */
  readonly label: string;
  readonly columns: readonly Column<NoInfer<Row>>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: NoInfer<Row>) => string;
}

/**
 * A table. On narrow screens, each row becomes a card. Roles are explicit,
 * because browsers drop the implicit roles of table elements that are laid out
 * as blocks.
 */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
}: DataTableProps<Row>) {
  return (
    <table role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th
              key={column.name}
              role="columnheader"
              scope="col"
              className={classOf(column)}
            >
              <span className={column.isActions ? "unseen" : ""}>
                {column.name}
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={rowKey(row)} role="row">
            {columns.map((column) => (
              <td
                key={column.name}
                role="cell"
                className={classOf(column)}
                data-name={column.isActions ? undefined : column.name}
              >
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function classOf({ isNumeric, isActions }: Column<never>): string {
  if (isActions) return "actions";
  return isNumeric ? "numeric" : "";
}
