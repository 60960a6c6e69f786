/** The errors of a contract. */
export declare const errors: Readonly<
  Record<string, { readonly status: number }>
>;
