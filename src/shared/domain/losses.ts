/**
 * The kinds of things that an operation left out or could not keep. `unreadable`: an entry that the server may not read. `special`: a pipe, a
 * socket or a device. `owner`: the owner or the group of an entry. `attributes`: an access control list or another extended
 * attribute. `other-names`: a saved file has other names (hard links), which keep the old content.
 */
export const lossKinds = ['unreadable', 'special', 'owner', 'attributes', 'other-names'] as const
export type LossKind = (typeof lossKinds)[number]

/** The entries to which the same loss happened: their number, and the paths of the first of them. */
export type Loss = { readonly kind: LossKind; readonly count: number; readonly paths: readonly string[] }

/** The number of paths that are named for each kind of loss. */
export const namedLosses = 20

/** The header of a response that lists the losses as JSON, in which other characters than ASCII are escaped. */
export const lossHeader = 'X-Left-Out'

/** Collects the losses of an operation. */
export type LossCollector = {
  readonly add: (kind: LossKind, path: string) => void
  /** Returns the losses so far. Empty when nothing was lost. */
  readonly list: () => readonly Loss[]
}

/** Creates a collector that keeps up to `maxNamed` paths for each kind of loss. */
export function createLossCollector(maxNamed = namedLosses): LossCollector {
  const byKind = new Map<LossKind, { count: number; readonly paths: string[] }>()
  return {
    add(kind, path) {
      const found = byKind.get(kind) ?? { count: 0, paths: [] }
      byKind.set(kind, found)
      found.count += 1
      if (found.paths.length < maxNamed) found.paths.push(path)
    },
    list: () => Array.from(byKind, ([kind, { count, paths }]) => ({ kind, count, paths })),
  }
}

/** Formats losses for `lossHeader`. */
export const lossesText = (losses: readonly Loss[]): string =>
  JSON.stringify(losses).replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Reads the value of `lossHeader`. Returns an empty list for a missing header and for a text in another form. */
export function readLosses(text: string | null): readonly Loss[] {
  try {
    const losses = JSON.parse(text ?? '[]') as readonly Loss[]
    return losses.filter(
      ({ kind, count, paths }) => lossKinds.includes(kind) && count > 0 && Array.isArray(paths),
    )
  } catch {
    return []
  }
}
