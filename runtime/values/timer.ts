/**
 * The maximum delay of a timer, in milliseconds. It is 24 days, which is
 * practically unlimited.
 */
export const maxTimerMs = 2 ** 31 - 1;
