import { createPosixVolume } from '../posix/volume.ts'
import type { PosixOptions } from '../posix/volume.ts'
import type { Volume } from '../port.ts'

/** What every adapter's row says: how a volume of it is made on a folder of this machine. */
export type Adapter = {
  readonly name: string
  readonly make: (options: PosixOptions) => Volume
}

/** Every adapter passes the same cases. The posix one is here twice: its two ways to the kernel are two programs. */
export const adapters: readonly Adapter[] = [
  { name: 'posix, kernel calls', make: (options) => createPosixVolume({ ...options, calls: 'auto' }) },
  { name: 'posix, walk', make: (options) => createPosixVolume({ ...options, calls: 'walk' }) },
]
