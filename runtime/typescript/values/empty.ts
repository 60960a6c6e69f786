/** Creates an empty value in its JSON form to replace null. */
export type MakeEmpty = () => unknown;

/** Creates an empty list. */
export const emptyList: MakeEmpty = () => [];

/** Creates an empty map. */
export const emptyMap: MakeEmpty = () => ({});

/** Creates empty bytes, as base64. */
export const emptyBytes: MakeEmpty = () => "";
