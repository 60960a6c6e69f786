/**
 * The maximum delay of timers in milliseconds: 24 days, as good as no limit.
 */
export const maxTimerMs = 2 ** 31 - 1;
