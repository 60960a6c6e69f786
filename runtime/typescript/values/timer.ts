/**
 * The maximum delay of a timer, in milliseconds. It is almost 25 days, which is
 * practically unlimited.
 */
export const maxTimerMs: number = 2 ** 31 - 1;
