import type { ErrorCode } from '../../domain/failure.ts'

/** What can go wrong with the folder of a new user. */
export const homeFailures: readonly ErrorCode[] = [
  'forbidden',
  'not-a-folder',
  'link-loop',
  'busy',
  'timeout',
  'no-space',
]
