import type { ErrorCode } from '../domain/failure.ts'

/** The failures that can occur when the folder of a new user is created. */
export const homeFailures: readonly ErrorCode[] = [
  'forbidden',
  'not-a-folder',
  'link-loop',
  'busy',
  'timeout',
  'no-space',
]
