let date: string | null = null;

/** The current time in the format of the Date header, computed once per second. */
export function httpDate(): string {
  if (date === null) {
    const now = new Date();
    date = now.toUTCString();
    setTimeout(() => {
      date = null;
    }, 1000 - now.getMilliseconds()).unref();
  }
  return date;
}
