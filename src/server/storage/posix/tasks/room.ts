import { statfsSync } from 'node:fs'
import { AppError } from '../../../../shared/domain/failure.ts'

/** What an announced upload leaves free, for everybody else (security 3.8). */
export const spareBytes = 64 * 1024 * 1024

/** Refuses what would fill the disk that a folder lies on. Nothing announced, nothing asked. */
export function refuseWithoutRoom(folder: number, sizeBytes: number): void {
  if (sizeBytes === 0) return
  const { bavail, bsize } = statfsSync(`/proc/self/fd/${folder}`)
  if (bavail * bsize < sizeBytes + spareBytes) throw new AppError('no-space')
}
