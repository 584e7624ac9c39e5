/** A link that was just created or left, and what its row says and focuses. */
export type LatestLink = {
  readonly hash: string
  readonly button: 'copy' | 'edit'
  /** True when the link has been copied while it was created, false when the browser refused that, and null for other links. */
  readonly isCopied: boolean | null
}
