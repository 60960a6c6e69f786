/**
 * The maximum of timers in milliseconds: 24 days, which is as good as no limit.
 */
export const maxTimerMs = 2 ** 31 - 1;
