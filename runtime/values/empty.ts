/** Makes what null on the wire is read as, in the form that the wire has. */
export type MakeEmpty = () => unknown;

/** Makes an empty list. */
export const emptyList: MakeEmpty = () => [];

/** Makes an empty map. */
export const emptyMap: MakeEmpty = () => ({});

/** Makes empty bytes: base64 of nothing. */
export const emptyBytes: MakeEmpty = () => "";
