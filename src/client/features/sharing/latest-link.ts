/** The link that comes first: the first one when the prompt opens, and later the one that was just created or left. Its row has the focus. */
export type LatestLink = {
  readonly hash: string
  readonly button: 'copy' | 'edit'
  /** True when the link has been copied while it was created, false when the browser refused that, and null for other links. */
  readonly isCopied: boolean | null
}
