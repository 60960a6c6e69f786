/** Makes the empty value, in its JSON form, that null is read as. */
export type MakeEmpty = () => unknown;

/** Makes an empty list. */
export const emptyList: MakeEmpty = () => [];

/** Makes an empty map. */
export const emptyMap: MakeEmpty = () => ({});

/** Makes empty bytes: base64 of nothing. */
export const emptyBytes: MakeEmpty = () => "";
