// Time limits, so that a test that hangs fails and names what it waits for.

/** The result of the promise. Fails after `seconds` with the text that `awaited` returns. */
export async function within(seconds, awaited, promise) {
  let timer;
  const expired = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error(`Waited ${seconds} s for ${awaited()}`)), seconds * 1000);
  });
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
  }
}
