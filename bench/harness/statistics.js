/**
 * Returns the median: the middle number, or the mean of the two in the middle.
 */
export function median(values) {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length / 2;
  return Number.isInteger(middle)
    ? (sorted[middle - 1] + sorted[middle]) / 2
    : sorted[Math.floor(middle)];
}

/** Returns the value that at least 95 % of the values do not exceed. */
export function p95(values) {
  return quantile(values, 0.95);
}

/** Returns the value that at least 99 % of the values do not exceed. */
export function p99(values) {
  return quantile(values, 0.99);
}

function quantile(values, share) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.ceil(share * sorted.length) - 1];
}

/** Returns half of the interquartile range, as a share of the median. */
export function spread(values) {
  const sorted = [...values].sort((left, right) => left - right);
  const at = (share) => sorted[Math.round(share * (sorted.length - 1))];
  return (at(0.75) - at(0.25)) / 2 / median(values);
}

/**
 * Returns the ratio of two subjects that were measured in the same rounds: the
 * median of the ratios within each round. A slow minute does not affect it.
 */
export function ratio(samples, baseline, key) {
  return median(samples.map((each, index) => each[key] / baseline[index][key]));
}
