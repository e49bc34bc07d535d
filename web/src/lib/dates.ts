/** UTC dates. */

const DAY = 86_400_000;
const toIsoDay = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The range of the last days including today; `to` is exclusive. */
export function lastDays(count: number): { from: string; to: string } {
  const today = Date.parse(toIsoDay(Date.now()));
  return { from: toIsoDay(today - (count - 1) * DAY), to: toIsoDay(today + DAY) };
}

/** Every day from `from` up to, not including, `to`. */
export function eachDay(from: string, to: string): string[] {
  const days: string[] = [];
  for (let time = Date.parse(from); time < Date.parse(to); time += DAY) days.push(toIsoDay(time));
  return days;
}
