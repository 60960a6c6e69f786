import { useSyncExternalStore } from "react";

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 365 * 24 * 3600],
  ["month", 30 * 24 * 3600],
  ["day", 24 * 3600],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

const exact = new Intl.DateTimeFormat("en", {
  dateStyle: "medium",
  timeStyle: "long",
});

/** Formats a time relative to now, e.g. `3 minutes ago`. */
function relativeTime(time: Date, now: number): string {
  const seconds = Math.round((time.getTime() - now) / 1000);
  const [unit, length] = units.find(
    ([, length]) => Math.abs(seconds) >= length,
  ) ?? ["second" as const, 1];
  return relative.format(Math.trunc(seconds / length), unit);
}

const periodMs = 5_000;

/** Calls a function periodically until the returned function is called. */
function everyPeriod(call: () => void): () => void {
  const timer = setInterval(call, periodMs);
  return () => clearInterval(timer);
}

/** A relative time that stays current, with the exact time as its tooltip. */
export function Moment({ at }: { readonly at: string | undefined }) {
  useSyncExternalStore(everyPeriod, () => Math.floor(Date.now() / periodMs));
  if (at === undefined) return <span className="quiet">never</span>;
  const time = new Date(at);
  return (
    <time dateTime={time.toISOString()} title={exact.format(time)}>
      {relativeTime(time, Date.now())}
    </time>
  );
}
