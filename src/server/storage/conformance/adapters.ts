import { sharedStorageThreads } from '../../../../test/kit/shared-threads.ts'
import { createPosixVolume } from '../posix/volume.ts'
import type { PosixVolumeOptions } from '../posix/volume.ts'
import type { Volume } from '../port.ts'

/** A storage adapter: its name, and a function that creates a volume for a folder on this machine. */
export type StorageAdapter = {
  readonly name: string
  readonly createVolume: (options: PosixVolumeOptions) => Volume
}

const createVolume = (calls: 'auto' | 'walk', options: PosixVolumeOptions): Volume =>
  createPosixVolume({ ...options, calls, pool: sharedStorageThreads(calls) })

/**
 * The adapters that must pass the suite. The posix adapter is listed twice, because it has two implementations of its
 * system calls.
 */
export const adapters: readonly StorageAdapter[] = [
  {
    name: 'posix, kernel calls',
    createVolume: (options) => createVolume('auto', options),
  },
  { name: 'posix, walk', createVolume: (options) => createVolume('walk', options) },
]
