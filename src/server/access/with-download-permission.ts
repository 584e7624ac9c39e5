import { AppError } from '../../shared/domain/failure.ts'
import type { Storage } from '../storage/port.ts'
import type { PermissionCheck } from './permissions-policy.ts'

/**
 * Returns a storage that returns the content of files, and what is computed from it, only to a user who may download. An
 * operation that forgets to ask for the permission is refused here.
 */
export function withDownloadPermission(storage: Storage, may: PermissionCheck): Storage {
  const requireDownload = (): void => {
    if (!may('download')) throw new AppError('forbidden', { permission: 'download' })
  }
  return {
    ...storage,
    narrow: async (to) => withDownloadPermission(await storage.narrow(to), may),
    async open(...args) {
      requireDownload()
      return storage.open(...args)
    },
    readTree(...args) {
      requireDownload()
      return storage.readTree(...args)
    },
    async checksum(...args) {
      requireDownload()
      return storage.checksum(...args)
    },
  }
}
