/** Formats numbers, dates and durations. */

const whole = new Intl.NumberFormat("en");
const precise = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const moment = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const day = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });
const date = new Intl.DateTimeFormat("en", { dateStyle: "medium" });

export const formatNumber = (value: number) => (Number.isInteger(value) ? whole : precise).format(value);
export const formatDateTime = (at: string) => moment.format(new Date(at));
const formatDate = (at: string) => date.format(new Date(at));
/** A UTC date such as 2026-11-14. */
export const formatUtcDay = (at: string) => day.format(new Date(`${at.slice(0, 10)}T00:00:00Z`));

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

export function formatRelativeTime(at: string, now: number): string {
  const seconds = (new Date(at).getTime() - now) / 1000;
  if (Math.abs(seconds) > 30 * 86_400) return formatDate(at);
  const step = STEPS.find(([, size]) => Math.abs(seconds) >= size);
  return step ? relative.format(Math.round(seconds / step[1]), step[0]) : "just now";
}

export function formatBytes(size: number): string {
  const units = ["B", "KB", "MB", "GB"];
  const power = size > 0 ? Math.min(Math.floor(Math.log10(size) / 3), units.length - 1) : 0;
  return `${(size / 1000 ** power).toFixed(power > 0 && size / 1000 ** power < 100 ? 1 : 0)} ${units[power]}`;
}

/** A duration: 8 s, 1:30 min. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${precise.format(Math.round(seconds * 10) / 10)} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = Math.round(seconds % 60);
  return `${whole.format(minutes)}:${String(rest).padStart(2, "0")} min`;
}

export const formatMilliseconds = (ms: number) => (ms < 1000 ? `${ms} ms` : formatDuration(ms / 1000));
export const pluralize = (count: number, one: string, many = `${one}s`) =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** REAL_ESTATE → Real estate. */
export const humanize = (code: string) => {
  const text = code.toLowerCase().replaceAll(/[_-]+/g, " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
};
