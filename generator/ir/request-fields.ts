/** A part of a query such as `?notify&limit={pageSize}&beta=true`. */
export type QueryParameter =
  /** A field of the request. */
  | {
      readonly kind: "field";
      /** Name in the query, e.g. `limit`. */
      readonly name: string;
      /** JSON name of the field, e.g. `pageSize`. */
      readonly field: string;
      /** Whether a list is `a=1,2`, and not one pair for each item. */
      readonly isJoined: boolean;
    }
  /** A pair that clients always send, and that servers ignore. */
  | {
      readonly kind: "fixed";
      readonly name: string;
      readonly value: string;
    };

/** A header that contains a field. */
export interface HeaderField {
  /** Name of the header as written, e.g. `If-Match`. Case has no meaning. */
  readonly name: string;
  /** JSON name of the field, e.g. `ifMatch`. */
  readonly field: string;
}
