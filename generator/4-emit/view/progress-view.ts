import type { FieldView } from "./type-view.js";

/** The cursor of a stream. */
export interface ResumeView {
  /** Name on the wire of the request field with the cursor of the last item. */
  readonly argument: string;
  /** Names on the wire from an item to its cursor, e.g. `message.id`. */
  readonly cursor: string;
  /** The field that `argument` names. */
  readonly field: FieldView;
}

/**
 * How a method returns pages: with numbers if `numbered` is not null, with links
 * if `linked` is not null, otherwise with tokens.
 */
export interface PagingView {
  /** The field of the request that identifies a page, maybe in a struct. */
  readonly asked: FieldView;
  /** The field of the request whose struct contains `asked`, or null. */
  readonly holder: FieldView | null;
  /** The field of the response with the next token, the number or the links. */
  readonly answered: FieldView;
  /** The only list of the response, or null. */
  readonly items: FieldView | null;
  readonly numbered: NumberedPagesView | null;
  readonly linked: LinkedPagesView | null;
}

/** Fields of the struct that is both `asked` and `answered`. */
export interface NumberedPagesView {
  readonly page: FieldView;
  /** Whether there are more pages. */
  readonly more: FieldView;
}

/** What links to the next page contain. */
export interface LinkedPagesView {
  /** A parameter of the query. */
  readonly parameter: string;
  readonly isNumber: boolean;
}
