import {
  createCallerFactory,
  type CallerFactory,
  type CallerFactoryDependencies,
} from '../../src/server/access/caller-factory.ts'
import { createUploadLimiters } from '../../src/server/access/concurrent-uploads-policy.ts'

/** Creates a caller factory without change subscribers and without global rules. Any use of a quota throws. */
export const bareCallerFactory = (
  options: Pick<CallerFactoryDependencies, 'volume'> & Partial<CallerFactoryDependencies>,
): CallerFactory =>
  createCallerFactory({
    globalRules: async () => [],
    announce: async () => {},
    record: () => {},
    findHooks: async () => ({ before: null, after: null }),
    userNow: async ({ user }) => user,
    onBrokenRule: () => {},
    maxUploadBytes: null,
    quotas: {
      usageOf() {
        throw new Error('nobody has a quota')
      },
    },
    uploadLimiters: createUploadLimiters(),
    nowMs: Date.now,
    ...options,
  })
