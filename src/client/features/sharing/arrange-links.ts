import type { ShareResource } from '../../../shared/contract/shares.ts'
import { visibleName } from '../../ui/visible-name.ts'

export type LinkColumn = 'path' | 'end' | 'owner'
/** The column by which links are sorted. Null keeps the order of the server. */
export type LinkOrder = { readonly by: LinkColumn; readonly isDescending: boolean } | null

type LinkArrangement = {
  readonly order: LinkOrder
  /** The text that the path or the name of the owner has to contain. The slashes of the path may have spaces around them. */
  readonly filter: string
  readonly ownerOf: (link: ShareResource) => string
}

/** Returns the links that match a filter, in the given order. Permanent links are sorted as the last to expire. */
export function arrangeLinks(
  links: readonly ShareResource[],
  { order, filter, ownerOf }: LinkArrangement,
): readonly ShareResource[] {
  const wanted = filter
    .trim()
    .toLocaleLowerCase()
    .replaceAll(/ ?\/ ?/g, '/')
  const found = links.filter((link) =>
    `${visibleName(link.path)}\n${ownerOf(link)}`.toLocaleLowerCase().includes(wanted),
  )
  if (order === null) return found
  const compare = comparers[order.by]
  const sorted = found.toSorted((a, b) => compare(a, b, ownerOf))
  return order.isDescending ? sorted.toReversed() : sorted
}

type LinkComparer = (a: ShareResource, b: ShareResource, ownerOf: LinkArrangement['ownerOf']) => number

const comparers: Readonly<Record<LinkColumn, LinkComparer>> = {
  path: (a, b) => a.path.localeCompare(b.path, undefined, { numeric: true }),
  end: (a, b) => endOfLink(a) - endOfLink(b),
  owner: (a, b, ownerOf) => ownerOf(a).localeCompare(ownerOf(b), undefined, { numeric: true }),
}

/** Returns the sort key of a link's expiry, in seconds since 1970. Permanent links get the largest safe integer. */
const endOfLink = ({ expire }: ShareResource): number => (expire === 0 ? Number.MAX_SAFE_INTEGER : expire)
