import { limits } from '../../shared/domain/limits.ts'
import { createKeyedLimiter } from '../concurrency/keyed-limiter.ts'
import { later } from '../concurrency/later.ts'
import { createRateLimiter } from '../concurrency/rate-limiter.ts'
import type { MemoryBudget } from '../config/memory-budget.ts'
import type { Config } from '../config/serving-options.ts'
import { createListingCache, type ListingCacheDependencies } from '../files/listing-cache.ts'
import { createResponseTags } from '../files/response-tags.ts'
import { fileRoutes } from '../files/routes.ts'
import type { Route } from '../http/route.ts'

type FileModuleDependencies = Pick<ListingCacheDependencies, 'versions'> & {
  readonly config: Pick<Config, 'disableTypeDetectionByHeader'>
  /** Returns a text that no other run of the server uses in its tags. */
  readonly newMark: () => string
  /** The number of processes that share the memory for listings. */
  readonly processCount?: number | undefined
  readonly memoryBudget: Pick<MemoryBudget, 'listingCacheBytes'>
}

/** Creates the routes of files and folders, with the limits of the work that one user may request. */
export const composeFiles = ({
  config,
  versions,
  newMark,
  processCount = 1,
  memoryBudget,
}: FileModuleDependencies): readonly Route[] => {
  const maxBytes = memoryBudget.listingCacheBytes / processCount
  return fileRoutes({
    sniffs: !config.disableTypeDetectionByHeader,
    listingCache: createListingCache({ versions, later, maxBytes, maxRecordedBytes: maxBytes }),
    responseTags: createResponseTags(newMark),
    textLimiter: createKeyedLimiter({ maxConcurrent: limits.concurrentTexts }),
    pace: createRateLimiter(),
    checksumLimiter: createKeyedLimiter({
      maxConcurrent: limits.concurrentChecksums,
      maxQueued: limits.checksumsWaiting,
      maxWaitMs: limits.checksumPatienceMs,
    }),
    treeLimiter: createKeyedLimiter({ maxConcurrent: limits.concurrentTreeReads }),
  })
}
