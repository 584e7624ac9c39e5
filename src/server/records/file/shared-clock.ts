/** Returns the milliseconds of a clock that all threads of this process share, and that nobody sets. */
export const sharedClockMs = (): number => Number(process.hrtime.bigint() / 1_000_000n)
