/** The facts about a link that a guest sees beside the entry. */
export type LinkTerms = {
  /** The time at which the link ends, in ms since 1970. Null for a link that never ends. */
  readonly endMs: number | null
  /** The name that the owner has typed for the guests of this link. Empty for none. */
  readonly sender: string
}
