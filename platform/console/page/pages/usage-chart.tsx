import { scaleBand, scaleLinear } from "d3-scale";
import { useEffect, useRef, useState } from "react";
import type { Count } from "../api/usage.js";
import { countText, numberText } from "../parts/count.js";

const height = 220;
const margin = { top: 12, right: 24, bottom: 24, left: 44 };

const dayFormat = new Intl.DateTimeFormat("en", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

const compact = new Intl.NumberFormat("en", { notation: "compact" });

/** A bar chart of calls by day, with failed calls at the bottom. */
export function UsageChart({ days }: { readonly days: readonly Count[] }) {
  const figure = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0)),
    );
    if (figure.current) observer.observe(figure.current);
    return () => observer.disconnect();
  }, []);
  const calls = days.reduce((sum, day) => sum + day.calls, 0);
  const failures = days.reduce((sum, day) => sum + day.failures, 0);
  const summary = `${countText(calls, "call")}, ${numberText(failures)} failed`;
  return (
    <figure className="chart" ref={figure}>
      <figcaption>
        <strong>{summary}</strong>
        <span className="legend">
          <span className="of-calls">Calls</span>
          <span className="of-failures">Failed</span>
        </span>
      </figcaption>
      {width > 0 && <Bars days={days} width={width} label={summary} />}
    </figure>
  );
}

function Bars({
  days,
  width,
  label,
}: {
  readonly days: readonly Count[];
  readonly width: number;
  readonly label: string;
}) {
  const x = scaleBand(
    days.map(({ name }) => name),
    [margin.left, width - margin.right],
  ).padding(0.25);
  const y = scaleLinear(
    [0, Math.max(4, ...days.map(({ calls }) => calls))],
    [height - margin.bottom, margin.top],
  ).nice(4);
  const floor = y(0);
  const every = Math.ceil(days.length / Math.max(2, Math.floor(width / 90)));
  return (
    <svg width={width} height={height} role="img" aria-label={label}>
      {y.ticks(4).map((tick) => (
        <g key={tick}>
          <line
            x1={margin.left}
            x2={width - margin.right}
            y1={y(tick)}
            y2={y(tick)}
          />
          <text x={margin.left - 8} y={y(tick)} dy="0.35em" textAnchor="end">
            {compact.format(tick)}
          </text>
        </g>
      ))}
      {days.map(({ name, calls, failures }, index) => {
        const left = x(name) ?? 0;
        const bar = { x: left, width: x.bandwidth(), rx: 1.5 };
        const day = dayFormat.format(new Date(name));
        return (
          <g key={name}>
            <title>{`${day}: ${countText(calls, "call")}, ${numberText(failures)} failed`}</title>
            <rect
              {...bar}
              className="of-calls"
              y={y(calls)}
              height={floor - y(calls)}
            />
            <rect
              {...bar}
              className="of-failures"
              y={y(failures)}
              height={floor - y(failures)}
            />
            {(days.length - 1 - index) % every === 0 && (
              <text
                x={left + x.bandwidth() / 2}
                y={height - 6}
                textAnchor="middle"
              >
                {day}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}
