/** The result of a takeover of a database of File Browser, or of a dry run. Each line is a sentence for the administrator. */
export type TakeoverReport = {
  /** The parts that came over with the meaning that they had. */
  readonly kept: readonly string[]
  /** The parts that came over and now mean something else. */
  readonly changed: readonly string[]
  /** The parts that did not come over, each with the reason. */
  readonly left: readonly string[]
}
