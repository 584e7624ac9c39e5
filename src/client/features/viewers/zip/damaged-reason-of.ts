import { damagedReason } from '../frame/damaged-reason.ts'
import { ZipError } from './zip-error.ts'

/** Returns the message for a file whose ZIP archive is damaged, or undefined for another error. */
export const damagedReasonOf = (error: unknown): string | undefined =>
  error instanceof ZipError && error.fault === 'damaged' ? damagedReason() : undefined
