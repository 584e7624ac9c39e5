/** What the takeover of a database of File Browser did, or would do. Each line is a sentence for the administrator. */
export type TakeoverReport = {
  /** What came over with the meaning that it had. */
  readonly kept: readonly string[]
  /** What came over and now means something else. */
  readonly changed: readonly string[]
  /** What did not come over, with the reason. */
  readonly left: readonly string[]
}
