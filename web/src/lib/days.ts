/** Days of the UTC calendar. */
const DAY = 86_400_000;
export const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The last days, today among them: the first, and the one after today. */
export function lastDays(count: number): { from: string; to: string } {
  const today = Date.parse(isoDay(Date.now()));
  return { from: isoDay(today - (count - 1) * DAY), to: isoDay(today + DAY) };
}

/** Every day from one to before another. */
export function eachDay(from: string, to: string): string[] {
  const days: string[] = [];
  for (let time = Date.parse(from); time < Date.parse(to); time += DAY) days.push(isoDay(time));
  return days;
}
