import type { Path } from '../../../../../shared/domain/path.ts'
import { createHitRanking, type RankingOptions } from './rank-hits.ts'

/**
 * Returns the best hits for a text until its search has ended: those that have arrived, and those of earlier texts that fit
 * it. So a further letter narrows the list at once, and the list is not empty meanwhile.
 */
export function keepHits<Hit extends { readonly path: Path }>(
  text: string,
  {
    arrived,
    earlier,
    ...options
  }: RankingOptions & {
    readonly arrived: readonly Hit[]
    readonly earlier: readonly Hit[]
  },
): readonly Hit[] {
  // A hit that has arrived replaces the one of an earlier search, whose size and date may be old.
  const byPath = new Map([...earlier, ...arrived].map((hit) => [hit.path, hit]))
  return createHitRanking<Hit>(text, options)([...byPath.values()])
}
