/** Languages with templates have integers of 64 bits. */
export const pagingOptions = { int64: "number", timestamp: "string" } as const;
